import Foundation

@testable import NacreDAO

/// What tests make of the text of a configuration.
enum Configuration {
  static func module(_ text: String) throws -> DAOModule {
    try ModuleReader.module(of: Data(text.utf8))
  }

  /// The issues of a configuration; empty for one that can be used.
  static func issues(_ text: String) -> [ConfigurationIssue] { issues(Data(text.utf8)) }

  static func issues(_ data: Data) -> [ConfigurationIssue] {
    do throws(ConfigurationError) {
      _ = try ModuleReader.module(of: data)
      return []
    } catch {
      return error.issues
    }
  }

  /// The places of the marks `‸` in a text, and the text without them.
  static func places(in marked: String) -> (text: String, places: [ConfigurationPlace]) {
    var (text, places, place) = ("", [ConfigurationPlace](), ConfigurationPlace.start)
    for character in marked {
      if character == "‸" {
        places.append(place)
      } else {
        place.pass(character)
        text.append(character)
      }
    }
    return (text, places)
  }

  /// The statement that a method's contents are rendered to, in the table `t`, with `parts` beside it in the module.
  static func statement(
    _ body: String,
    _ values: [String: Any?] = [:],
    parts: String = ""
  ) throws -> RenderedStatement {
    let module = try module("<module>\(parts)<update id='m'>\(body)</update></module>")
    guard case .statement(let nodes) = module.methods[.init(id: "m", arity: 0)]?.body else {
      throw DAOValue.Failure(message: "m has no single statement")
    }
    return try TemplateRendering.statement(of: nodes, TestValues(values), tableName: "t")
  }

  /// The same, its SQL alone.
  static func sql(
    _ body: String,
    _ values: [String: Any?] = [:],
    parts: String = ""
  ) throws -> String {
    try statement(body, values, parts: parts).sql
  }
}

/// Values by their names; dictionaries are objects with properties.
struct TestValues: TemplateValues {
  private var members: [String: Any?]

  init(_ members: [String: Any?]) { self.members = members }

  func value(of path: ReferencePath) throws -> RenderedStatement.Binding {
    guard var value = members[path.root] else {
      throw DAOValue.Failure(message: "nobody provides “\(path.root)”")
    }
    for name in path.names {
      let object = DAOValue.unwrapped(value)
      if let index = ReferencePath.index(name), let object {
        value = try DAOValue.element(at: index, of: object, named: path)
      } else if name == "count", let elements = try? DAOValue.elements(of: object, named: path) {
        value = elements.count
      } else {
        value = (object as? [String: Any?])?[name] ?? nil
      }
    }
    return .init(value: DAOValue.unwrapped(value), origin: nil)
  }

  func adding(_ name: String, _ value: Any?) -> TestValues {
    var values = self
    values.members[name] = .some(value)
    return values
  }
}

extension RenderedStatement {
  /// The values of the parameters, as texts.
  var values: [String] {
    bindings.map { binding in
      binding.value.map { "\($0)" } ?? (binding.isEmptyForNil ? "" : "nil")
    }
  }
}

extension String {
  /// The text with one blank wherever there are several, or line breaks.
  var squeezed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
