#if PostgreSQL
import NacreStore
import Testing
@testable import NacrePostgres
@testable import TestSupport

/// Migrations whose connection is cut at messages as many steps apart as NACRE_CUTS says.
@Suite(.enabled(if: Cut.reachesUpkeep, "script/check --cuts runs it")) struct MigrationCutTests {
  @Test(arguments: Cut.all)
  func `another store finishes a migration, each of whose steps has run once`(cut: Cut) throws {
    let proxy = try ServerProxy()
    defer { proxy.close() }
    try cut.goThrough(proxy, atLeast: 100, every: 250) { number, begin, end in
      let scene = try MigrationScene()
      begin()
      let outcome = Result {
        try MigrationScene.migrate(
          proxy.url(scene.url),
          keyFile: scene.keyFile,
          to: MigrationScene.Sealing.self
        )
      }
      let cuts = end()
      guard case .failure(let error) = outcome else {
        return try scene.expectMigrated(
          to: MigrationScene.Sealing.self,
          vaults: 1...1,
          "cut at \(number)"
        )
      }
      #expect(Cut.isLoss(error) && cuts == 1, "cut at \(number): \(error)")
      try scene.raw.endLease()
      try MigrationScene.migrate(
        scene.url,
        keyFile: scene.keyFile,
        to: MigrationScene.Sealing.self
      )
      try scene.expectMigrated(
        to: MigrationScene.Sealing.self,
        vaults: 1...2,
        "cut at \(number)"
      )
    }
  }
}
#endif
