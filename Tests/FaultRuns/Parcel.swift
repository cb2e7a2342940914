import Foundation
import NacreCore
import TestFaults

/// What the sessions save, change and delete.
final class Parcel: Entity {
  var label = "" { didSet { entityState.markChanged(0) } }
  var number = 0 { didSet { entityState.markChanged(1) } }
  /// Sealed and searchable, except while it is plain.
  var note = "" { didSet { entityState.markChanged(2) } }
  var content = Data() { didSet { entityState.markChanged(3) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    label = try row.read(at: 0)
    number = try row.read(at: 1)
    note = try row.open(at: 2)
    content = try row.open(at: 3)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(label, at: 0)
    try row.bind(number, at: 1)
    try row.seal(note, at: 2)
    try row.seal(content, at: 3)
  }

  func visitChildren(_ walk: GraphWalk) {}

  /// How `note` is sealed, which conversions take away and give back.
  static let noteSealing = SealedOptions(isSearchable: true)

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Parcel.self, name: "Parcel", identifiers: .v4)
    schema.add("label", \Parcel.label)
    schema.add("number", \Parcel.number)
    schema.add("note", \Parcel.note, sealed: noteSealing)
    schema.add("content", \Parcel.content, sealed: SealedOptions())
    return schema.build()
  }()

  /// Makes the object of a number, which is not saved yet.
  static func make(_ number: Int, byteCount: Int = 60) -> Parcel {
    // The same objectIDs in every session, anywhere among the others, so that a seed means the same.
    var generator = SeededGenerator(seed: UInt64(number))
    let (high, low) = (generator.next(), generator.next())
    let objectID = ObjectID(
      high: high & ~0xF000 | 0x4000,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    )
    let parcel = Parcel.create(objectID: objectID.uuid)
    parcel.fill(number, byteCount: byteCount)
    return parcel
  }

  func fill(_ number: Int, byteCount: Int = 60) {
    label = "parcel \(number)"
    self.number = number
    note = "note of \(number)"
    content = Data(repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
  }
}
