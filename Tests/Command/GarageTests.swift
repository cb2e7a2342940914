import Foundation
import TestSupport
import Testing

@Suite struct GarageTests {
  @Test func `the example runs, and no sealed value can be read in its files`() throws {
    let directory = try TemporaryDirectory()
    let tour = try BuiltProduct.garage.run(["--keep", directory.path])
    #expect(tour.status == 0)
    #expect(tour.complaint == "")
    #expect(tour.output.contains("406"))

    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(files.contains("garage.db"))
    let stored = try files.filter { $0.hasPrefix("garage.db") }.map { try directory.bytes($0) }
    // Not even a plain property or the name of a table lies open; the file's own mark does.
    #expect(stored.contains { $0.range(of: Data("NACRE".utf8)) != nil })
    for plain in ["CREATE TABLE", "chevrolet", "Manufacturer"] {
      #expect(!stored.contains { $0.range(of: Data(plain.utf8)) != nil }, "\(plain)")
    }
    #expect(tour.output.contains(/'chevrolet', a plain property of [0-9]+ cars,\n +is nowhere/))
    #expect(tour.output.contains(/sealed anew +[0-9,]+ values, [0-9]+ indexes and [0-9]+ pages/))
    let sealed = try sealedValues(in: directory)
    // Three of each owner, of whom there is one a car.
    #expect(sealed.count > 600)
    for value in sealed {
      #expect(!stored.contains { $0.range(of: Data(value.utf8)) != nil }, "\(value)")
    }
  }

  /// Every value that is sealed in the example's store, as the tool opens it.
  private func sealedValues(in directory: TemporaryDirectory) throws -> Set<String> {
    let inspect = ["inspect", directory.file("garage.db"), "Owner", "--limit", "1000"]
    let unlock = ["--key-file", directory.file("garage.key")]
    let reveal = ["--reveal"] + unlock
    let closed = try BuiltProduct.nacre.run(inspect + unlock)
    #expect(closed.status == 0)
    let opened = try BuiltProduct.nacre.run(inspect + reveal)
    #expect(opened.status == 0)
    let hidden = closed.output.split(separator: "\n").count { $0.contains("‹sealed›") }
    let plain = Set(closed.output.split(separator: "\n"))
    let revealed = opened.output.split(separator: "\n").filter { !plain.contains($0) }
    #expect(hidden > 600)
    #expect(revealed.count >= hidden)
    return Set(revealed.compactMap { $0.firstMatch(of: /"(.{4,})"$/).map { String($0.1) } })
  }

  @Test func `the example cleans up after itself`() throws {
    let outcome = try BuiltProduct.garage.run([])
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("Kept:"))
  }
}
