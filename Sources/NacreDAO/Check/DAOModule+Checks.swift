import Foundation

extension DAOModule {
  /// Reads a configuration, and compares it with the models and with the methods of a protocol.
  ///
  /// - Throws: `ConfigurationError` with all mistakes; `NacreError` for a file that can't be read.
  static func checked(
    _ configuration: some ConfigurationSource,
    _ models: ModelTable,
    _ methods: [DAOSignature]
  ) throws -> (module: DAOModule, crypts: CryptRules) {
    let issues = ConfigurationIssues()
    let file = (configuration as? URL)?.lastPathComponent
    let data = try configuration.configuration
    if let text = configuration as? String, text.isPath {
      issues.note(
        "a String is the XML itself, and this one looks like a path: give its URL",
        at: .whole
      )
    }
    guard issues.isEmpty, let module = ModuleReader.module(of: data, issues) else {
      throw ConfigurationError(issues: issues.sorted, file: file)
    }
    // The configuration's own mistakes may be the reason why a protocol's methods are missing.
    let isComplete = issues.isEmpty
    models.check(module, issues)
    if isComplete {
      SignatureCheck(module: module, models: models, issues: issues).check(methods)
    }
    let crypts = CryptRules(module, models)
    SealedColumnCheck(crypts: crypts, issues: issues).check(module)
    PropertyCheck(module: module, crypts: crypts, issues: issues).check(methods)
    if !issues.isEmpty { throw ConfigurationError(issues: issues.sorted, file: file) }
    return (module, crypts)
  }
}

extension String {
  /// Whether a text contains no XML and looks like the path of a file.
  fileprivate var isPath: Bool {
    !contains("<") && (lowercased().hasSuffix(".xml") || contains("/"))
  }
}
