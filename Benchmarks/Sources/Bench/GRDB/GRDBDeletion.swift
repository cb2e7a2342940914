import Foundation
import GRDB

/// Deletes a stored graph as GRDB's query interface says it.
///
/// No records are involved, so both subjects share it.
enum GRDBDeletion {
  static func delete(_ car: UUID, in database: Database) throws {
    let owner = Column("owner")
    let child = Column("child")
    let engineColumn = Column("engine")

    let engine = try GRDBCar.filter(key: car).select(engineColumn, as: UUID.self)
      .fetchOne(database)
    let wheels = try GRDBPlace.filter(owner == car).select(child, as: UUID.self)
      .fetchAll(database)

    let others = GRDBCar.filter(Column("objectID") != car)
    let looseEngine = try engine.flatMap { engine in
      try others.filter(engineColumn == engine).isEmpty(database) ? engine : nil
    }
    let looseWheels = try wheels.filter { wheel in
      try GRDBPlace.filter(child == wheel && owner != car).isEmpty(database)
    }

    try GRDBCar.deleteOne(database, key: car)
    if let looseEngine { try GRDBEngine.deleteOne(database, key: looseEngine) }
    for wheel in looseWheels { try GRDBWheel.deleteOne(database, key: wheel) }
  }
}
