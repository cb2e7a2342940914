import Foundation
import Nacre
import Testing

/// Transactions, tasks and raw SQL.
extension DefaultStoreTests.Tour {
  private struct Cancelled: Error {}

  @Test func `a transaction that throws leaves file and objects as they were`() throws {
    let (store, car, ada) = try garage()
    // tour: transactions
    do {
      try store.write { _ in
        car.power = 300
        ada.handle = "countess"
        try car.save()
        try ada.save()
        throw Cancelled()
      }
    } catch is Cancelled {
      // Nothing was written, and both objects are as unsaved as before: car.hasChanges is true.
    }
    // end
    #expect(car.hasChanges && ada.hasChanges)
    #expect(try Car.fetch(id: car.objectID)?.power == 252)
    #expect(try Person.fetchOne()?.handle == "ada")
    // tour: by hand
    try store.begin()
    try car.save()
    try store.rollback()  // or commit()
    // end
    #expect(car.hasChanges)
    #expect(try Car.fetch(id: car.objectID)?.power == 252)
    try store.close()
  }

  @Test func `calls that touch the file have async twins`() async throws {
    let (store, car, _) = try garage()
    car.color = "blue"
    var total = 0
    // tour: async
    try await car.save()
    let fast = try await Car.fetchAll(where: "power > ?", 200)
    try await store.write { _ in  // on your own actor: it can save the objects that you hold
      car.color = "red"
      try car.save()
    }
    let left = try await store.writeInBackground { _ in  // on another thread
      try Car.deleteAll(where: "power < ?", 50)
      return try Car.count()
    }
    for try await car in try await Car.cursor(orderBy: "name") {
      total += car.power  // the loop's end closes the cursor, also by `break`
    }
    // end
    #expect(fast.map(\.color) == ["blue"] && !car.hasChanges)
    #expect(left == 1 && total == 252)
    #expect(try await Car.fetchOne()?.color == "red")
    try await store.close()
  }

  @Test func `raw SQL runs inside read and write`() throws {
    let (store, car, _) = try garage()
    // tour: raw SQL
    try store.write { database in
      try database.execute("CREATE TABLE IF NOT EXISTS service (day TEXT, car BLOB)")
      try database.execute("INSERT INTO service VALUES (?, ?)", "2026-03-01", car.objectID)
    }
    let rows = try store.read { database in
      try database.query("SELECT day FROM service WHERE car = ?", car.objectID)  // [[Value]]
    }
    // end
    #expect(rows == [["2026-03-01"]])
    try store.close()
  }
}
