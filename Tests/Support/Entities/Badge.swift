import NacreCore

/// An entity with searchable sealed properties, each searched in another way.
final class Badge: Entity {
  var label = "" { didSet { entityState.markChanged(0) } }
  var plate: String? { didSet { entityState.markChanged(1) } }
  var serial = "" { didSet { entityState.markChanged(2) } }
  var email = "" { didSet { entityState.markChanged(3) } }
  var phone: String? { didSet { entityState.markChanged(4) } }
  var number = 0 { didSet { entityState.markChanged(5) } }
  var hidden: String? { didSet { entityState.markChanged(6) } }
  var name = "" { didSet { entityState.markChanged(7) } }
  @exclusivity(unchecked) var entityState = EntityState()

  init() {}

  init(row: RowReader) throws {
    label = try row.read(at: 0)
    plate = try row.open(at: 1)
    serial = try row.open(at: 2)
    email = try row.open(at: 3)
    phone = try row.open(at: 4)
    number = try row.open(at: 5)
    hidden = try row.open(at: 6)
    name = try row.open(at: 7)
    entityState = row.entityState()
  }

  func bindProperties(to row: RowBinder) throws {
    try row.bind(label, at: 0)
    try row.seal(plate, at: 1)
    try row.seal(serial, at: 2)
    try row.seal(email, at: 3)
    try row.seal(phone, at: 4)
    try row.seal(number, at: 5)
    try row.seal(hidden, at: 6)
    try row.seal(name, at: 7)
  }

  func visitChildren(_ walk: GraphWalk) {}

  static let entitySchema: EntitySchema = {
    var schema = EntitySchemaBuilder(Badge.self, name: "Badge")
    schema.add("label", \Badge.label)
    schema.add("plate", \Badge.plate, sealed: SealedOptions(isSearchable: true))
    schema.add("serial", \Badge.serial, sealed: SealedOptions(isUnique: true))
    schema.add(
      "email",
      \Badge.email,
      sealed: SealedOptions(isSearchable: true, bits: 8, normalizer: .casefold)
    )
    schema.add(
      "phone",
      \Badge.phone,
      sealed: SealedOptions(isSearchable: true, normalizer: .digits)
    )
    schema.add("number", \Badge.number, sealed: SealedOptions(isSearchable: true))
    schema.add(
      "hidden",
      \Badge.hidden,
      sealed: SealedOptions(isSearchable: true, hidesNil: true, padding: .bucketed)
    )
    schema.add("name", \Badge.name, sealed: SealedOptions(bits: nil, normalizer: .exact))
    return schema.build()
  }()

  /// Makes a badge with a serial number of its own.
  static func make(_ label: String, _ change: (Badge) -> Void = { _ in }) -> Badge {
    let badge = Badge.create()
    badge.label = label
    badge.serial = "serial of \(label)"
    change(badge)
    return badge
  }
}
