package import NacreEngine

/// A home whose connections let calls fail or wait; everything else is another engine's.
package final class FaultyHome: EngineHome {
  private let base: any EngineHome
  private let faults: EngineFaults

  package init(_ base: any EngineHome, _ faults: EngineFaults) {
    self.base = base
    self.faults = faults
  }

  package var path: String { base.path }
  package var capabilities: EngineCapabilities { base.capabilities }
  package var slotKeeper: (any SlotKeeping)? { base.slotKeeper }
  package var leaseKeeper: (any LeaseKeeping)? { base.leaseKeeper }
  package func seal(with sealer: any PageSealer) throws { try base.seal(with: sealer) }

  package func connect(_ role: ConnectionRole) throws -> any EngineConnection {
    try faults.pass(.connect)
    return FaultyConnection(try base.connect(role), of: self, faults)
  }

  package func listen(_ hear: @escaping @Sendable () -> Void) throws -> (any ChangeListening)? {
    try base.listen(hear)
  }

  private func own(_ connection: any EngineConnection) -> any EngineConnection {
    (connection as? FaultyConnection)?.base ?? connection
  }

  package var file: FileIdentity? { base.file }
  package var exists: Bool { base.exists }
  package func delete() throws { try base.delete() }

  package func backUp(_ connection: any EngineConnection, to path: String) throws {
    try base.backUp(own(connection), to: path)
  }

  package func readRaw(
    _ file: RawFile,
    under connection: any EngineConnection,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try base.readRaw(file, under: own(connection), body)
  }

  package func rekeying() throws -> (any PageRekeying)? { try base.rekeying() }
  package func pageChecking() throws -> (any PageChecking)? { try base.pageChecking() }

  package var settings: any EngineSettings { base.settings }

  package func settings(of connection: any EngineConnection) throws -> any EngineSettings {
    try base.settings(of: own(connection))
  }

  package func set(_ settings: any EngineSettings, on connection: any EngineConnection) throws {
    try base.set(settings, on: own(connection))
  }

  package func applySettings(to connection: any EngineConnection) throws {
    try base.applySettings(to: own(connection))
  }

  package func takeSettings(of connection: any EngineConnection) throws {
    try base.takeSettings(of: own(connection))
  }

  package func journalFault(on connection: any EngineConnection) throws -> String? {
    try base.journalFault(on: own(connection))
  }
}
