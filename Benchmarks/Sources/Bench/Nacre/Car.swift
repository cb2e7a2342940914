// swift-format-ignore-file: NoLeadingUnderscores
// The names with an underscore are those that the macro writes.

import NacreCore

/// Five plain columns, an engine and wheels.
final class Car {
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
  var engine: Engine? {
    @storageRestrictions(initializes: _engine)
    init(initialValue) {
      _engine = initialValue
    }
    get {
      entityObservation.access(self, \.engine)
      return _engine
    }
    set {
      entityObservation.willSet(self, \.engine)
      _engine = newValue
      entityState.markChanged(5)
      entityObservation.didSet(self, \.engine)
    }
    _modify {
      entityObservation.willSet(self, \.engine)
      defer {
        entityState.markChanged(5)
        entityObservation.didSet(self, \.engine)
      }
      yield &_engine
    }
  }
  private var _engine: Engine?
  var wheels: [Wheel] {
    @storageRestrictions(initializes: _wheels)
    init(initialValue) {
      _wheels = initialValue
    }
    get {
      entityObservation.access(self, \.wheels)
      return _wheels
    }
    set {
      entityChildren.note(_wheels, at: 6, entityState)
      entityObservation.willSet(self, \.wheels)
      _wheels = newValue
      entityState.markChanged(6)
      entityObservation.didSet(self, \.wheels)
    }
    _modify {
      entityChildren.note(_wheels, at: 6, entityState)
      entityObservation.willSet(self, \.wheels)
      defer {
        entityState.markChanged(6)
        entityObservation.didSet(self, \.wheels)
      }
      yield &_wheels
    }
  }
  private var _wheels: [Wheel] = []

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

  @exclusivity(unchecked) var entityChildren = NacreCore.FormerChildren()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    _name = try row.read(at: 0)
    _color = try row.read(at: 1)
    _power = try row.read(at: 2)
    _weight = try row.read(at: 3)
    _year = try row.read(at: 4)
    _engine = try row.read(at: 5)
    _wheels = try row.read(at: 6)
    entityState = row.entityState()
  }

  deinit {
    NacreCore.GraphRelease.take(&_engine)
    NacreCore.GraphRelease.take(&_wheels)
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.bind(_name, at: 0)
    try row.bind(_color, at: 1)
    try row.bind(_power, at: 2)
    try row.bind(_weight, at: 3)
    try row.bind(_year, at: 4)
    try row.bind(_engine, at: 5)
    try row.bind(_wheels, at: 6)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
    walk.visit(_engine, at: 5)
    walk.visit(_wheels, at: 6)
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(Car.self, name: "Car")
    schema.add("name", \Car.name)
    schema.add("color", \Car.color)
    schema.add("power", \Car.power)
    schema.add("weight", \Car.weight)
    schema.add("year", \Car.year)
    schema.add("engine", \Car.engine)
    schema.add("wheels", \Car.wheels)
    schema.attach(\Car._engine, at: 5)
    schema.attach(\Car._wheels, at: 6)
    return schema.build()
  }()
}

nonisolated extension Car: NacreCore.Entity, NacreCore.ObservableEntity {}
