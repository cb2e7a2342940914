/// The values with which a call works to its end, even if others are set meanwhile.
final class DAOSetup: Sendable {
  let compiled: CompiledModule
  let globals: [String: any Sendable]
  let sealing: DAOSealing
  let crypts: CryptRules

  init(
    compiled: CompiledModule,
    globals: [String: any Sendable],
    sealing: DAOSealing,
    crypts: CryptRules
  ) {
    (self.compiled, self.globals, self.sealing) = (compiled, globals, sealing)
    self.crypts = crypts
  }
}
