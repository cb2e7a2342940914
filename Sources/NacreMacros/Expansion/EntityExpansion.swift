import SwiftSyntax
import SwiftSyntaxBuilder

/// What `@Entity` writes into the class: no logic, one call into NacreCore for each property.
struct EntityExpansion {
  let entity: EntityDeclaration

  /// The members, in the order in which a conformance by hand would have them.
  var members: [DeclSyntax] {
    var members = [state]
    if !entity.hasPlainInit { members.append(plainInit) }
    members.append(rowInit)
    if !entity.hasDeinit, let release { members.append(release) }
    return members + [binding, visiting, schema]
  }

  private var state: DeclSyntax {
    "@exclusivity(unchecked) \(raw: entity.access)var entityState = NacreCore.EntityState()"
  }

  private var plainInit: DeclSyntax {
    """
    \(raw: entity.access)init() {
    }
    """
  }

  private var rowInit: DeclSyntax {
    let lines = indexed { property, index in
      "\(property.reference) = try row.\(property.isSealed ? "open" : "read")(at: \(index))"
    }
    return """
      \(raw: entity.access)init(row: NacreCore.RowReader) throws {
        \(raw: (lines + ["entityState = row.entityState()"]).body)
      }
      """
  }

  /// A long chain of children must not be released one inside another.
  private var release: DeclSyntax? {
    let children = entity.properties.filter(\.mayBeChild)
    if children.isEmpty { return nil }
    let lines = children.map { "NacreCore.GraphRelease.take(&\($0.identifier))" }
    return """
      deinit {
        \(raw: lines.body)
      }
      """
  }

  private var binding: DeclSyntax {
    let lines = indexed { property, index in
      "try row.\(property.isSealed ? "seal" : "bind")(\(property.reference), at: \(index))"
    }
    return function("bindProperties(to row: NacreCore.RowBinder) throws", lines)
  }

  private var visiting: DeclSyntax {
    let lines = indexed { property, index in
      property.mayBeReference ? "walk.visit(\(property.reference), at: \(index))" : nil
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

  private func indexed(_ line: (PropertyDeclaration, Int) -> String?) -> [String] {
    entity.properties.enumerated().compactMap { index, property in line(property, index) }
  }
}

extension [String] {
  /// The lines of a body that is indented by one step.
  var body: String { joined(separator: "\n  ") }
}

extension PropertyDeclaration {
  /// The property inside a method, whose parameter it may share its name with.
  fileprivate var reference: String {
    ["row", "walk"].contains(name) ? "self.\(identifier)" : "\(identifier)"
  }
}
