import Foundation
import NacreCore

/// Makes a module from a configuration, and notes all mistakes in it.
struct ModuleReader {
  private let issues: ConfigurationIssues
  private let root: MarkupElement
  private var module = DAOModule()
  /// A reader at the beginning of a statement.
  private let statements: StatementReader
  private var upgradeVersions: Set<DAOVersion> = []

  /// Reads a configuration.
  ///
  /// - Throws: `ConfigurationError` with all mistakes.
  static func module(of data: Data) throws(ConfigurationError) -> DAOModule {
    let issues = ConfigurationIssues()
    guard let module = module(of: data, issues), issues.isEmpty else {
      throw ConfigurationError(issues: issues.sorted)
    }
    return module
  }

  /// Reads a configuration as far as possible, and notes the mistakes; nil if it is no module at all.
  static func module(of data: Data, _ issues: ConfigurationIssues) -> DAOModule? {
    guard let root = MarkupReader.read(data, issues) else { return nil }
    guard root.name == "module" else {
      issues.note("the root is <\(root.name)>, but it has to be <module>", at: root.place)
      return nil
    }
    var reader = ModuleReader(root, issues)
    reader.read()
    return reader.module
  }

  private init(_ root: MarkupElement, _ issues: ConfigurationIssues) {
    self.root = root
    self.issues = issues
    let fragments = Fragments(FragmentReader.fragments(of: root, issues), of: root)
    let expansion = TextExpansion(fragments.texts, issues, refusals: fragments.refusals)
    expansion.resolveAll()
    let sealed = root.elements.filter { $0.name == "crypt" }
      .compactMap { $0.attributes["property"]?.trimmed }
    var reader = StatementReader(
      issues: issues,
      expansion: expansion,
      sealedProperties: Set(sealed)
    )
    reader.takeFragments(fragments)
    statements = reader
  }

  private mutating func read() {
    readAttributes()
    AttributeReader(root, issues).refuseText()
    for element in root.elements { read(element) }
    module.upgrades.sort { $0.version < $1.version }
    checkReferences()
  }

  private mutating func readAttributes() {
    let attributes = AttributeReader(root, issues)
    attributes.allow([
      "name", "initializer", "tableName", "version", "resetOnUpgrade", "upgradeMinVersion",
    ])
    module.name = attributes.text("name") ?? ""
    module.initializer = attributes.text("initializer")
    module.tableName = attributes.text("tableName")
    if let name = module.tableName, !ReferencePath.isName(name) {
      attributes.note(
        "“\(name)” can't be a table's name: letters, digits, underscores",
        "tableName"
      )
    } else if let name = module.tableName, SQLText.isReserved(table: name) {
      attributes.note("“\(name)” is a name that the store or SQLite reserves", "tableName")
    }
    module.version = attributes.version("version")
    module.resetsOnUpgrade = attributes.flag("resetOnUpgrade")
    module.upgradeMinimum = attributes.version("upgradeMinVersion")
    guard let minimum = module.upgradeMinimum else { return }
    if let version = module.version, minimum > version {
      attributes.note("upgradeMinVersion is later than the version \(version)", "upgradeMinVersion")
    }
    if module.version == nil, attributes.text("version") == nil {
      attributes.note("upgradeMinVersion needs a version", "upgradeMinVersion")
    }
  }

  private static let elements = [
    "const", "sql", "map", "crypt", "upgrade", "select", "insert", "update", "delete",
  ]

  private mutating func read(_ element: MarkupElement) {
    switch element.name {
    case "const", "sql": break
    case "map": readMap(element)
    case "crypt": readCrypt(element)
    case "upgrade": readUpgrade(element)
    default:
      guard let kind = DAOMethod.Kind(rawValue: element.name) else {
        AttributeReader(root, issues).refuse(element, allowing: Self.elements)
        return
      }
      readMethod(kind, element)
    }
  }

  // MARK: - Maps, crypts, upgrades

  private mutating func readMap(_ element: MarkupElement) {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["id", "result"])
    guard let id = attributes.required("id"), let type = attributes.required("result") else {
      return
    }
    var properties: [String: (name: String, place: ConfigurationPlace)] = [:]
    var columns: Set<SQLName> = []
    for child in element.elements {
      guard child.name == "result" else {
        attributes.refuse(child, allowing: ["result"])
        continue
      }
      let attributes = AttributeReader(child, issues)
      attributes.allow(["property", "column"])
      attributes.refuseContents()
      guard let property = attributes.required("property"),
        let column = attributes.required("column")
      else { continue }
      if !columns.insert(SQLName(column)).inserted {
        issues.note("the column “\(column)” is mapped twice", at: child.place)
      }
      properties[column] = (property, child.place(of: "property"))
    }
    attributes.refuseText()
    let place = element.place(of: "result")
    let map = DAOModule.ResultMap(type: type, place: place, properties: properties)
    if module.maps.updateValue(map, forKey: id) != nil {
      issues.note("another <map> has the id “\(id)”, too", at: element.place)
    }
  }

  private mutating func readCrypt(_ element: MarkupElement) {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["class", "property"])
    attributes.refuseContents()
    guard let type = attributes.required("class"), let property = attributes.required("property")
    else { return }
    let rule = SealedProperty(type: type, property: property)
    module.cryptPlaces[rule] = (element.place(of: "class"), element.place(of: "property"))
  }

  private mutating func readUpgrade(_ element: MarkupElement) {
    let attributes = AttributeReader(element, issues)
    attributes.allow(["toVersion"])
    // Read in any case, to note the mistakes in it.
    let body = statements.body(of: element, takesSteps: true, takesAttempt: false)
    guard attributes.required("toVersion") != nil,
      let version = attributes.version("toVersion")
    else { return }
    if module.resetsOnUpgrade {
      attributes.note("resetOnUpgrade makes a new table, so an <upgrade> would never run")
    }
    if !upgradeVersions.insert(version).inserted {
      issues.note("another <upgrade> leads to \(version), too", at: element.place)
    }
    if let newest = module.version, version > newest {
      attributes.note(
        "the upgrade leads to \(version), which is later than the module's version \(newest)",
        "toVersion"
      )
    }
    module.upgrades.append(.init(version: version, body: body))
  }

  // MARK: - Methods

  private mutating func readMethod(_ kind: DAOMethod.Kind, _ element: MarkupElement) {
    let attributes = AttributeReader(element, issues)
    let own = kind == .select ? ["result", "parallel"] : []
    attributes.allow(["id", "arguments", "foreach"] + own)
    let arguments = self.arguments(attributes)
    let loop = self.loop(attributes, arguments)
    let statements = statements.naming(arguments.map(\.name) + [loop?.item].compactMap { $0 })
    let id = attributes.required("id")
    let method = DAOMethod(
      kind: kind,
      id: id ?? "",
      arguments: arguments,
      result: kind == .select ? result(attributes) : nil,
      loop: loop,
      isParallel: attributes.flag("parallel"),
      body: statements.body(of: element, takesSteps: kind != .select, takesAttempt: true),
      place: element.place
    )
    guard let id else { return }
    let key = DAOModule.MethodKey(id: id, arity: arguments.count)
    if let other = module.methods.updateValue(method, forKey: key) {
      let count = arguments.count.counted("argument")
      attributes.note("line \(other.place.line) has a method “\(id)” with \(count), too")
    }
  }

  private func arguments(_ attributes: AttributeReader) -> [DAOMethod.Argument] {
    guard let text = attributes.text("arguments") else { return [] }
    var arguments: [DAOMethod.Argument] = []
    var names: Set<String> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      var name = String(word).trimmed
      let refusesNil = name.hasPrefix("$")
      if refusesNil { name = String(name.dropFirst()).trimmed }
      guard ReferencePath.isName(name) else {
        attributes.note("“\(name)” can't be the name of an argument", "arguments")
        continue
      }
      if !names.insert(name).inserted {
        attributes.note("there are two arguments “\(name)”", "arguments")
      }
      arguments.append(.init(name: name, refusesNil: refusesNil))
    }
    return arguments
  }

  private func result(_ attributes: AttributeReader) -> ResultType? {
    guard let text = attributes.text("result") else { return nil }
    guard let result = ResultType(text) else {
      attributes.note(
        "“\(text)” is not a result: write \(ResultType.scalars), a class, :map, or one of these "
          + "in []",
        "result"
      )
      return nil
    }
    return result
  }

  private func loop(
    _ attributes: AttributeReader,
    _ arguments: [DAOMethod.Argument]
  ) -> DAOMethod.Loop? {
    guard let text = attributes.text("foreach") else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      .map { String($0).trimmed }
    guard parts.count == 2, parts.allSatisfy(ReferencePath.isName) else {
      attributes.note("foreach has to be “collection.item”, not “\(text)”", "foreach")
      return nil
    }
    if !arguments.contains(where: { $0.name == parts[0] }) {
      attributes.note("the collection “\(parts[0])” of foreach is not an argument", "foreach")
    }
    if arguments.contains(where: { $0.name == parts[1] }) {
      attributes.note("the item “\(parts[1])” of foreach has the name of an argument", "foreach")
    }
    return DAOMethod.Loop(collection: parts[0], item: parts[1])
  }

  // MARK: - References between parts

  private func checkReferences() {
    let attributes = AttributeReader(root, issues)
    if let initializer = module.initializer,
      module.methods[.init(id: initializer, arity: 0)]?.kind != .update
    {
      attributes.note("“\(initializer)” is not an <update> without arguments", "initializer")
    }
    for element in root.elements where element.name == "select" {
      let attributes = AttributeReader(element, issues)
      guard let text = attributes.text("result"), let result = ResultType(text),
        case .map(let id) = result.element, module.maps[id] == nil
      else { continue }
      attributes.note("there is no <map> “\(id)”", "result")
    }
    if root.attributes["version"] == nil && !module.upgrades.isEmpty {
      attributes.note("there are upgrades, and <module> has no version")
    }
  }
}
