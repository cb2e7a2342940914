import Foundation
import Nacre

/// The two stores, each opened for its own entities.
struct School {
  private let directory: String
  private let teachers: Store
  private let students: Store

  /// Opens the stores of a directory; copies those of the first release there if there are none.
  ///
  /// - Throws: `NacreError`, and what copying a file throws.
  init(in directory: String) throws {
    self.directory = directory
    try School.putFiles(into: directory)
    var options = StoreOptions.named("teachers")
    options.entities = [Teacher.self]
    options.migrator = Migrator(
      .init("1"),
      .init("2") { try $0.execute("UPDATE Teacher SET name = 'Dr ' || name WHERE name LIKE 'A%'") }
    )
    teachers = try Store.open(directory + "/teachers.db", options: options)
    options = StoreOptions.named("students")
    options.entities = [Student.self]
    let copy = directory + "/students-before.db"
    options.backupBeforeMigrating = { _ in Store.exists(at: copy) ? nil : copy }
    students = try Store.open(
      directory + "/students.db",
      unlock: .keyFile(directory + "/students.key", createIfMissing: true),
      options: options
    )
  }

  private static func putFiles(into directory: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true
    )
    for name in ["teachers.db", "students.db"] where !Store.exists(at: directory + "/" + name) {
      guard let file = Bundle.module.url(forResource: name, withExtension: nil) else {
        throw CocoaError(.fileNoSuchFile)
      }
      try FileManager.default.copyItem(
        at: file,
        to: URL(fileURLWithPath: directory).appendingPathComponent(name)
      )
    }
  }

  /// Migrates the students of an earlier release, and prints the contents of the stores.
  ///
  /// - Throws: `NacreError`.
  func run() throws {
    let plan = try students.migrationPlan(Student.self)
    print("to do      \(plan)")
    try students.migrate(Student.self)
    print("hidden     \(try hiddenProperties().joined(separator: ", "))")
    for teacher in try Teacher.fetchAll(orderBy: "name") {
      let taught = try Student.fetchAll(\.teacher, equals: teacher.objectID)
      let years = Set(taught.map(\.year)).sorted().map(String.init).joined(separator: ", ")
      print(
        "\(teacher.name): \(teacher.subjectCount) subjects, \(taught.count) students, years \(years)"
      )
    }
    let found = try Student.fetchOne(\.phone, equals: "+44 (20) 7946-903")
    print("by phone   \(found?.fullName ?? "nobody")")
    let ages = try Student.all.groupCounts(by: \.age)
    print("ages       \(ages.map { "\($0.value): \($0.count)" }.sorted().joined(separator: ", "))")
    try moveOne()
  }

  /// The names of the properties that the class no longer has and the file still holds.
  private func hiddenProperties() throws -> [String] {
    let entities = try StoreInspection(path: directory + "/students.db").describe().entities
    return entities.flatMap(\.properties).filter { !$0.isDeclared }.map(\.name)
  }

  /// Saves a student of the students' store in the archive as well, sealed anew under the archive's
  /// own ring.
  private func moveOne() throws {
    let archive = try Store.open(
      directory + "/archive.db",
      unlock: .keyFile(directory + "/archive.key", createIfMissing: true),
      options: .named("archive")
    )
    defer { try? archive.close() }
    guard let student = try Student.all.ordered(by: "fullName").fetchOne() else { return }
    let isArchived = try archive.read { _ in try Student.fetch(id: student.objectID) != nil }
    if !isArchived {
      student.use(archive)
      try student.save()
    }
    let kept = try Student.in(archive).count()
    print("archived   \(kept), and \(try Student.count()) in the classroom")
  }
}
