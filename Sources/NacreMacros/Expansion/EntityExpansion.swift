import SwiftSyntax
import SwiftSyntaxBuilder

/// The output of `@Entity` in the class: no logic, one call into NacreCore for each property.
struct EntityExpansion {
  let entity: EntityDeclaration

  /// The members, in the order that a hand-written conformance would have.
  var members: [DeclSyntax] {
    var members = [state, observation]
    if entity.properties.contains(where: \.mayBeMerged) { members.append(formerChildren) }
    if !entity.hasPlainInit { members.append(plainInit) }
    members.append(rowInit)
    if !entity.hasDeinit, let release { members.append(release) }
    members += [binding, visiting]
    if let version { members.append(version) }
    return members + [schema]
  }

  private var state: DeclSyntax {
    "@exclusivity(unchecked) \(raw: entity.access)var entityState = NacreCore.EntityState()"
  }

  private var observation: DeclSyntax {
    "@exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()"
  }

  private var formerChildren: DeclSyntax {
    """
    @exclusivity(unchecked) \(raw: entity.access)var entityChildren = NacreCore.FormerChildren()
    """
  }

  private var version: DeclSyntax? {
    guard let version = entity.version else { return nil }
    return "\(raw: entity.access)static let entityVersion = \(version)"
  }

  private var plainInit: DeclSyntax {
    """
    \(raw: entity.access)init() {
    }
    """
  }

  private var rowInit: DeclSyntax {
    let lines = indexed { property, index in
      let form = property.dateForm.map { "dateAs: \($0), " } ?? ""
      let verb = property.isSealed ? "open" : "read"
      return "\(property.storage) = try row.\(verb)(\(form)at: \(index))"
    }
    return """
      \(raw: entity.access)init(row: NacreCore.RowReader) throws {
        \(raw: (lines + ["entityState = row.entityState()"]).body)
      }
      """
  }

  /// The `deinit`, or nil if no property may be a child; a long chain of children must not be released recursively.
  private var release: DeclSyntax? {
    let children = entity.properties.filter(\.mayBeChild)
    if children.isEmpty { return nil }
    let lines = children.map { "NacreCore.GraphRelease.take(&\($0.storage))" }
    return """
      deinit {
        \(raw: lines.body)
      }
      """
  }

  private var binding: DeclSyntax {
    let lines = indexed { property, index in
      let verb = property.isSealed ? "seal" : "bind"
      guard let form = property.dateForm else {
        return "try row.\(verb)(\(property.storage), at: \(index))"
      }
      return "try row.\(verb)(date: \(property.storage), as: \(form), at: \(index))"
    }
    return function("bindProperties(to row: NacreCore.RowBinder) throws", lines)
  }

  private var visiting: DeclSyntax {
    let lines = indexed { property, index in
      property.mayBeReference ? "walk.visit(\(property.storage), at: \(index))" : nil
    }
    return function("visitChildren(_ walk: NacreCore.GraphWalk)", lines)
  }

  private func function(_ signature: String, _ lines: [String]) -> DeclSyntax {
    if lines.isEmpty {
      return """
        \(raw: entity.access)func \(raw: signature) {
        }
        """
    }
    return """
      \(raw: entity.access)func \(raw: signature) {
        \(raw: lines.body)
      }
      """
  }

  func indexed(_ line: (PropertyDeclaration, Int) -> String?) -> [String] {
    entity.properties.enumerated().compactMap { index, property in line(property, index) }
  }
}

extension [String] {
  /// The lines of a body, indented by one step.
  var body: String { joined(separator: "\n  ") }
}

extension PropertyDeclaration {
  /// The form of a date's column, or nil if `@Column` does not give it.
  fileprivate var dateForm: ExprSyntax? { attributes.column?.dates?.expression.trimmed }
}
