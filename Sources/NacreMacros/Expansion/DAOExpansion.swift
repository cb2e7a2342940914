import SwiftSyntax
import SwiftSyntaxBuilder

/// The output of `@DAO`: the proxy, with one call of the DAO for each method.
struct DAOExpansion {
  let dao: DAODeclaration
  /// Returns the file's name and the line of a token.
  let place: (TokenSyntax) -> String

  var proxy: DeclSyntax {
    """
    \(raw: dao.availability)nonisolated \(raw: dao.access)final class \
    \(raw: dao.identifier.plainName)Proxy: \(dao.identifier), NacreDAO.DAOProxy {
      \(raw: members.joined(separator: "\n\n").indented)
    }
    """
  }

  private var members: [String] {
    let stored = """
      \(dao.access)let dao: NacreDAO.DAO

      \(dao.access)init(dao: NacreDAO.DAO) {
        self.dao = dao
      }
      """
    return [stored, signatures] + dao.methods.map(call)
  }

  private var signatures: String {
    let lines = dao.methods.map { method in
      let result = method.function.signature.returnClause?.type.bare.metatype
      let parts = [
        "\(literal(method.id))", "[\(method.types.joined(separator: ", "))]",
        method.result == .nothing ? "Void.self" : result ?? "Void.self",
        "at: \(literal(place(method.function.funcKeyword)))",
      ]
      return "\n  NacreDAO.DAOSignature(\(parts.joined(separator: ", "))),"
    }
    let list = lines.isEmpty ? "[]" : "[\(lines.joined())\n]"
    return "\(dao.access)static let methods: [NacreDAO.DAOSignature] = \(list)"
  }

  private func call(_ method: DAOMethodDeclaration) -> String {
    let signature = method.function.signature
    var head = "func \(method.function.name.trimmed)(\(method.list.joined(separator: ", ")))"
    if let effects = signature.effectSpecifiers { head += " \(effects.trimmed)" }
    if let result = signature.returnClause { head += " \(result.trimmed)" }
    return
      "\(method.function.attributes.availability)\(dao.access)\(head) {\n  \(body(of: method).indented)\n}"
  }

  private func body(of method: DAOMethodDeclaration) -> String {
    let names = method.names.map { "`\($0)`" }.joined(separator: ", ")
    let arguments = names.isEmpty ? "" : ", [\(names)]"
    let wait = method.isAsync ? "await " : ""
    let call = "\(wait)self.dao.call(\(literal(method.id))\(arguments))"
    return switch method.result {
    case .value: "try \(call).get()"
    case .outcome: call
    case .nothing where method.throwsClause == nil: call
    case .nothing: "if let error = \(call).error {\n  throw error\n}"
    }
  }

  private func literal(_ text: String) -> String { "\(StringLiteralExprSyntax(content: text))" }
}

extension DAOMethodDeclaration {
  /// The names of the parameters inside the method; parameters without a name are numbered.
  fileprivate var names: [String] {
    parameters.enumerated().map { index, parameter in
      let name = (parameter.secondName ?? parameter.firstName).plainName
      return name == "_" ? "argument\(index)" : name
    }
  }

  /// The parameters in the form of the method's declaration.
  fileprivate var list: [String] {
    zip(parameters, names).map { parameter, name in
      let label = parameter.firstName.trimmed
      let isNamed = parameter.secondName == nil && label.plainName == name
      return "\(label)\(isNamed ? "" : " `\(name)`"): \(parameter.type.trimmed)"
    }
  }

  fileprivate var types: [String] { parameters.map(\.type.bare.metatype) }
}

extension TypeSyntax {
  /// The type as an expression.
  fileprivate var metatype: String {
    switch self.as(TypeSyntaxEnum.self) {
    case .identifierType, .memberType, .arrayType, .dictionaryType, .optionalType: "\(self).self"
    default: "(\(self)).self"
    }
  }
}

extension String {
  /// The lines, with all but the first indented one step more.
  fileprivate var indented: String {
    replacing("\n", with: "\n  ").replacing("\n  \n", with: "\n\n")
  }
}
