import Foundation
import Nacre

/// The classes as the first release had them; they wrote the files in `Resources`.
enum Version1 {
  @Entity final class Teacher {
    var name = ""
    var subjects = ""
  }

  @Entity final class Student {
    var name = ""
    var age = 0
    var phone: String?
    var nickname: String?
    @Column(indexed: true) var teacher: UUID?
  }

  /// Writes both stores as the first release did.
  ///
  /// - Parameter directory: where `teachers.db` and `students.db` are made.
  /// - Throws: `NacreError`.
  static func write(to directory: String) throws {
    let teachers = try Store.open(directory + "/teachers.db", options: .named("teachers-1"))
    let students = try Store.open(directory + "/students.db", options: .named("students-1"))
    let staff = try makeTeachers(in: teachers)
    try makeStudents(taughtBy: staff, in: students)
    try teachers.close()
    try students.close()
  }

  private static func makeTeachers(in store: Store) throws -> [Teacher] {
    let subjects = ["Chemistry, Biology", "History", "Mathematics, Physics, Astronomy"]
    let names = ["Ada Birch", "Ben Alder", "Cleo Rowan"]
    return try store.write { _ in
      try zip(names, subjects).map { name, subjects in
        let teacher = Teacher.create()
        teacher.name = name
        teacher.subjects = subjects
        try teacher.save()
        return teacher
      }
    }
  }

  private static func makeStudents(taughtBy staff: [Teacher], in store: Store) throws {
    try store.write { _ in
      for number in 1...20 {
        let student = Student.create()
        student.name = "Student \(number)"
        student.age = 10 + number % 3
        student.phone = number.isMultiple(of: 4) ? nil : "+44 20 7946 \(String(900 + number))"
        student.nickname = number.isMultiple(of: 2) ? "no. \(number)" : nil
        student.teacher = staff[number % staff.count].objectID
        try student.save()
      }
    }
  }
}

extension StoreOptions {
  /// The usual options for a store that is found by its name.
  static func named(_ name: String) -> StoreOptions {
    var options = StoreOptions()
    options.name = name
    return options
  }
}
