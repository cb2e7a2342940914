import Foundation

extension DAOModule {
  /// Reads a configuration, and compares it with the models and with the methods of a protocol.
  ///
  /// - Throws: `ConfigurationError` with everything that is wrong; `NacreError` for a file that can't be read.
  static func checked(
    _ configuration: some ConfigurationSource,
    _ models: ModelTable,
    _ methods: [DAOSignature]
  ) throws -> (module: DAOModule, crypts: CryptRules) {
    let issues = ConfigurationIssues()
    let data = try configuration.configuration
    guard let module = ModuleReader.module(of: data, issues) else {
      throw ConfigurationError(issues: issues.sorted)
    }
    // What a protocol misses may be what the configuration's own mistakes are about.
    let isComplete = issues.isEmpty
    models.check(module, issues)
    if isComplete {
      SignatureCheck(module: module, models: models, issues: issues).check(methods)
    }
    let crypts = CryptRules(module, models)
    SealedColumnCheck(crypts: crypts, issues: issues).check(module)
    PropertyCheck(module: module, crypts: crypts, issues: issues).check(methods)
    if !issues.isEmpty { throw ConfigurationError(issues: issues.sorted) }
    return (module, crypts)
  }
}
