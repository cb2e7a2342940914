// swift-format-ignore-file: NoLeadingUnderscores
// The names with an underscore are those that the macro writes.

import NacreCore

// The entities are what `@Entity` makes of them, written out: no macro, no swift-syntax to build.

/// Five plain columns and an identifier.
final class Sample {
  var name: String {
    @storageRestrictions(initializes: _name)
    init(initialValue) {
      _name = initialValue
    }
    get {
      entityObservation.access(self, \.name)
      return _name
    }
    set {
      entityObservation.willSet(self, \.name)
      _name = newValue
      entityState.markChanged(0)
      entityObservation.didSet(self, \.name)
    }
    _modify {
      entityObservation.willSet(self, \.name)
      defer {
        entityState.markChanged(0)
        entityObservation.didSet(self, \.name)
      }
      yield &_name
    }
  }
  private var _name = ""
  var color: String? {
    @storageRestrictions(initializes: _color)
    init(initialValue) {
      _color = initialValue
    }
    get {
      entityObservation.access(self, \.color)
      return _color
    }
    set {
      entityObservation.willSet(self, \.color)
      _color = newValue
      entityState.markChanged(1)
      entityObservation.didSet(self, \.color)
    }
    _modify {
      entityObservation.willSet(self, \.color)
      defer {
        entityState.markChanged(1)
        entityObservation.didSet(self, \.color)
      }
      yield &_color
    }
  }
  private var _color: String?
  var power: Int {
    @storageRestrictions(initializes: _power)
    init(initialValue) {
      _power = initialValue
    }
    get {
      entityObservation.access(self, \.power)
      return _power
    }
    set {
      entityObservation.willSet(self, \.power)
      _power = newValue
      entityState.markChanged(2)
      entityObservation.didSet(self, \.power)
    }
    _modify {
      entityObservation.willSet(self, \.power)
      defer {
        entityState.markChanged(2)
        entityObservation.didSet(self, \.power)
      }
      yield &_power
    }
  }
  private var _power = 0
  var weight: Double {
    @storageRestrictions(initializes: _weight)
    init(initialValue) {
      _weight = initialValue
    }
    get {
      entityObservation.access(self, \.weight)
      return _weight
    }
    set {
      entityObservation.willSet(self, \.weight)
      _weight = newValue
      entityState.markChanged(3)
      entityObservation.didSet(self, \.weight)
    }
    _modify {
      entityObservation.willSet(self, \.weight)
      defer {
        entityState.markChanged(3)
        entityObservation.didSet(self, \.weight)
      }
      yield &_weight
    }
  }
  private var _weight = 0.0
  var year: Int {
    @storageRestrictions(initializes: _year)
    init(initialValue) {
      _year = initialValue
    }
    get {
      entityObservation.access(self, \.year)
      return _year
    }
    set {
      entityObservation.willSet(self, \.year)
      _year = newValue
      entityState.markChanged(4)
      entityObservation.didSet(self, \.year)
    }
    _modify {
      entityObservation.willSet(self, \.year)
      defer {
        entityState.markChanged(4)
        entityObservation.didSet(self, \.year)
      }
      yield &_year
    }
  }
  private var _year = 0

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    _name = try row.read(at: 0)
    _color = try row.read(at: 1)
    _power = try row.read(at: 2)
    _weight = try row.read(at: 3)
    _year = try row.read(at: 4)
    entityState = row.entityState()
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.bind(_name, at: 0)
    try row.bind(_color, at: 1)
    try row.bind(_power, at: 2)
    try row.bind(_weight, at: 3)
    try row.bind(_year, at: 4)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(Sample.self, name: "Sample")
    schema.add("name", \Sample.name)
    schema.add("color", \Sample.color)
    schema.add("power", \Sample.power)
    schema.add("weight", \Sample.weight)
    schema.add("year", \Sample.year)
    return schema.build()
  }()
}

nonisolated extension Sample: NacreCore.Entity, NacreCore.ObservableEntity {}
