// swift-format-ignore-file: NoLeadingUnderscores
// The names with an underscore are those that the macro writes.

import NacreCore

/// A car's engine.
final class Engine {
  var code: String {
    @storageRestrictions(initializes: _code)
    init(initialValue) {
      _code = initialValue
    }
    get {
      entityObservation.access(self, \.code)
      return _code
    }
    set {
      entityObservation.willSet(self, \.code)
      _code = newValue
      entityState.markChanged(0)
      entityObservation.didSet(self, \.code)
    }
    _modify {
      entityObservation.willSet(self, \.code)
      defer {
        entityState.markChanged(0)
        entityObservation.didSet(self, \.code)
      }
      yield &_code
    }
  }
  private var _code = ""
  var cylinders: Int {
    @storageRestrictions(initializes: _cylinders)
    init(initialValue) {
      _cylinders = initialValue
    }
    get {
      entityObservation.access(self, \.cylinders)
      return _cylinders
    }
    set {
      entityObservation.willSet(self, \.cylinders)
      _cylinders = newValue
      entityState.markChanged(1)
      entityObservation.didSet(self, \.cylinders)
    }
    _modify {
      entityObservation.willSet(self, \.cylinders)
      defer {
        entityState.markChanged(1)
        entityObservation.didSet(self, \.cylinders)
      }
      yield &_cylinders
    }
  }
  private var _cylinders = 0

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    _code = try row.read(at: 0)
    _cylinders = try row.read(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.bind(_code, at: 0)
    try row.bind(_cylinders, at: 1)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(Engine.self, name: "Engine")
    schema.add("code", \Engine.code)
    schema.add("cylinders", \Engine.cylinders)
    return schema.build()
  }()
}

nonisolated extension Engine: NacreCore.Entity, NacreCore.ObservableEntity {}

/// One of a car's wheels.
final class Wheel {
  var brand: String? {
    @storageRestrictions(initializes: _brand)
    init(initialValue) {
      _brand = initialValue
    }
    get {
      entityObservation.access(self, \.brand)
      return _brand
    }
    set {
      entityObservation.willSet(self, \.brand)
      _brand = newValue
      entityState.markChanged(0)
      entityObservation.didSet(self, \.brand)
    }
    _modify {
      entityObservation.willSet(self, \.brand)
      defer {
        entityState.markChanged(0)
        entityObservation.didSet(self, \.brand)
      }
      yield &_brand
    }
  }
  private var _brand: String?
  var size: Int {
    @storageRestrictions(initializes: _size)
    init(initialValue) {
      _size = initialValue
    }
    get {
      entityObservation.access(self, \.size)
      return _size
    }
    set {
      entityObservation.willSet(self, \.size)
      _size = newValue
      entityState.markChanged(1)
      entityObservation.didSet(self, \.size)
    }
    _modify {
      entityObservation.willSet(self, \.size)
      defer {
        entityState.markChanged(1)
        entityObservation.didSet(self, \.size)
      }
      yield &_size
    }
  }
  private var _size = 0

  @exclusivity(unchecked) var entityState = NacreCore.EntityState()

  @exclusivity(unchecked) private var entityObservation = NacreCore.EntityObservation()

  init() {
  }

  init(row: NacreCore.RowReader) throws {
    _brand = try row.read(at: 0)
    _size = try row.read(at: 1)
    entityState = row.entityState()
  }

  func bindProperties(to row: NacreCore.RowBinder) throws {
    try row.bind(_brand, at: 0)
    try row.bind(_size, at: 1)
  }

  func visitChildren(_ walk: NacreCore.GraphWalk) {
  }

  static let entitySchema: NacreCore.EntitySchema = {
    var schema = NacreCore.EntitySchemaBuilder(Wheel.self, name: "Wheel")
    schema.add("brand", \Wheel.brand)
    schema.add("size", \Wheel.size)
    return schema.build()
  }()
}

nonisolated extension Wheel: NacreCore.Entity, NacreCore.ObservableEntity {}
