import Foundation
import NacreCore
import TestSupport
import Testing

/// Pages by index and size, wherever they are asked for.
@Suite struct PageRangeTests {
  @Test func `a page below the first one is refused wherever a page is asked for`() throws {
    let school = try School()
    try school.store.read { (_) throws in
      for size in [2, Int.max] {
        for page in [-1, Int.min] {
          expectError(.badPage, entity: "Pupil") { _ = try Pupil.fetchAll(page: page, size: size) }
          expectError(.badPage, entity: "Pupil") {
            _ = try Pupil.fetchAll(where: "age >= ?", 0, page: page, size: size)
          }
          expectError(.badPage, entity: "Pupil") {
            _ = try Pupil.fetchValues(\.age, page: page, size: size)
          }
          expectError(.badPage, entity: "Pupil") {
            _ = try Pupil.fetchAll(#Predicate { $0.age >= 0 }, page: page, size: size)
          }
        }
        let found = try Pupil.fetchAll(page: .max, size: size)
        #expect(found.isEmpty)
      }
    }
    let scene = try RecordScene()
    try scene.fill()
    expectError(.badPage, entity: "Student") {
      _ = try scene.students.fetchAll(page: -1, size: 2)
    }
    expectError(.badPage, entity: "Student") {
      _ = try scene.students.fetchAll(where: "1", page: -1, size: 2)
    }
    #expect(try scene.students.fetchAll(page: .max, size: .max).isEmpty)
    #expect(try scene.students.fetchAll(page: 1, size: 4).count == 4)
  }
}
