import Foundation
import NacreCore
import NacreOpen
import NacreUpkeep
import Testing
@testable import TestSupport

/// The pages of a sealed file, as a verification and a check of the store see them.
@Suite struct VerifyPagesTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func open() throws -> Store {
    try scene.open(Scene.unlock) { $0.seals = .file }
  }

  /// Makes a store with vaults and cars, and closes it.
  private func fill() throws {
    let store = try open()
    try store.write { _ in
      for number in 0..<300 {
        let vault = Vault.create()
        vault.secret = "\(Marker.text)-\(number)"
        try vault.save()
      }
    }
    try store.write { _ in
      for number in 0..<10 {
        let person = Person.create()
        person.code = "\(number)"
        person.name = "\(Marker.text)-\(number)"
        try person.save()
      }
    }
    try store.close()
  }

  private func pageCount() throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: scene.path)
    return (try #require(attributes[.size] as? NSNumber).intValue - 65_536) / 4_096
  }

  /// Changes five pages in which vaults lie: they are saved after the catalog and before the persons.
  private func damageVaults() throws -> [Int] {
    let first = try pageCount() * 3 / 5
    let pages = Array(first..<first + 5)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: scene.path))
    for page in pages {
      try file.seek(toOffset: UInt64(65_536 + (page - 1) * 4_096 + 100))
      try file.write(contentsOf: [1, 2, 3, 4])
    }
    try file.close()
    return pages
  }

  @Test func `a sound sealed file has all its pages and frames read`() throws {
    try fill()
    let store = try open()
    let vault = try #require(try store.read { _ in try Vault.fetchAll().first })
    vault.label = "changed"
    try store.write { _ in try vault.save() }
    var units: [VerificationProgress.Unit] = []
    let report = try store.verify(progress: { progress in
      if units.last != progress.unit { units.append(progress.unit) }
      #expect(progress.done <= progress.total)
      return true
    })
    #expect(report.isSound)
    #expect(report.pageCount == (try pageCount()))
    #expect(report.frameCount > 0)
    #expect(report.badPages == [])
    #expect(units == [.pages, .rows])
    #expect(try store.check() == [])
    try store.close()
    let other = try Scene()
    let plain = try other.open()
    #expect(try plain.verify().pageCount == 0)
    try plain.close()
    withExtendedLifetime(other) {}
  }

  @Test func `a verification names all bad pages, and goes on with the tables that can be read`()
    throws
  {
    try fill()
    let pages = try damageVaults()
    let store = try open()
    let report = try store.verify()
    #expect(!report.isSound)
    #expect(report.badPages.map(\.number) == pages.map(UInt32.init))
    #expect(report.badPages.allSatisfy { $0.fault == .changed && $0.frame == nil })
    #expect(report.badPageCount == 5)
    #expect(report.faults.map(\.kind) == [.badPage])
    #expect(report.faults.first?.entity == "Vault")
    let names = report.properties.first { $0.entity == "Person" && $0.property == "name" }
    #expect(names?.openedCount == 10)
    #expect(!report.isComplete)
    expectError(.unsound) { try report.requireSound() }
    let faults = try store.check()
    #expect(faults.allSatisfy { $0.kind == .badPage })
    #expect(faults.map(\.detail) == pages.map { "page \($0) of the file was changed or moved" })
    try store.close()
  }

  @Test func `the report names as many pages as it may, and counts the others`() throws {
    try fill()
    let pages = try damageVaults()
    let store = try open()
    var options = VerificationOptions()
    options.badPageLimit = 2
    options.entities = ["Person"]
    let report = try store.verify(options)
    #expect(report.badPages.map(\.number) == pages.prefix(2).map(UInt32.init))
    #expect(report.badPageCount == 5)
    // Of the one entity that was to be verified, everything was.
    #expect(report.isComplete)
    #expect(!report.isSound)
    try store.close()
  }

  @Test func `a verification can be stopped while it reads pages`() throws {
    try fill()
    let store = try open()
    let report = try store.verify(progress: { _ in false })
    #expect(!report.isComplete)
    #expect(report.rowCount == 0)
    try store.close()
  }
}
