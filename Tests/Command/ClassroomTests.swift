import Foundation
import TestSupport
import Testing

@Suite struct ClassroomTests {
  private static let outcome = """
    hidden     nickname
    Ben Alder: 1 subjects, 7 students, years 2
    Cleo Rowan: 3 subjects, 7 students, years 3
    Dr Ada Birch: 2 subjects, 6 students, years 1
    by phone   Student 3
    ages       10: 6, 11: 7, 12: 7
    archived   1, and 20 in the classroom

    """

  @Test func `files of the first release are migrated to the third, and stay so`() throws {
    let directory = try TemporaryDirectory()
    let first = try BuiltProduct.classroom.run([directory.path])
    #expect(first.complaint == "")
    let plan = """
      to do      Student: version 1 → 3
      Student.fullName: renamed from name
      Student.year: added
      Student.nickname: no longer declared, kept
      Student.phone: plain → sealed, searchable by 16 bits (digits/1)

      """
    #expect(first.output == plan + Self.outcome)
    let second = try BuiltProduct.classroom.run([directory.path])
    #expect(second.output == "to do      nothing has to be changed\n" + Self.outcome)
    // What was plain is gone from the file, and still in the copy from before.
    let phone = Data("+44 20 7946 903".utf8)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    for file in files where file.hasPrefix("students.db") || file.hasPrefix("archive.db") {
      #expect(try directory.bytes(file).range(of: phone) == nil, "\(file)")
    }
    #expect(try directory.bytes("students-before.db").range(of: phone) != nil)
    let inspected = try BuiltProduct.nacre.run(["inspect", directory.file("students.db")])
    #expect(inspected.output.contains("(no longer declared)"))
  }

  @Test func `the first release's classes still write what the third migrates`() throws {
    let directory = try TemporaryDirectory()
    let written = try BuiltProduct.classroom.run(["--write-version-1", directory.path])
    #expect(written.status == 0)
    let migrated = try BuiltProduct.classroom.run([directory.path])
    #expect(migrated.status == 0)
    #expect(migrated.output.hasSuffix(Self.outcome))
  }

  @Test func `arguments that make no sense are refused`() throws {
    #expect(try BuiltProduct.classroom.run([]).status == 64)
    #expect(try BuiltProduct.classroom.run(["--help"]).status == 64)
  }
}
