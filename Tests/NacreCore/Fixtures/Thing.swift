import NacreCore
@testable import TestSupport

/// The entity "Thing" as successive versions of an application declare it.
enum Thing {
  final class Plain: Entity {
    var title = "" { didSet { entityState.markChanged(0) } }
    var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      title = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(title, at: 0) }
    func visitChildren(_ walk: GraphWalk) {}
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Plain.self, name: "Thing")
      schema.add("title", \Plain.title)
      return schema.build()
    }()
  }

  /// The same property, sealed.
  final class Sealed: Entity {
    var title = "" { didSet { entityState.markChanged(0) } }
    var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      title = try row.open(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.seal(title, at: 0) }
    func visitChildren(_ walk: GraphWalk) {}
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Sealed.self, name: "Thing")
      schema.add("title", \Sealed.title, sealed: SealedOptions())
      return schema.build()
    }()
  }

  /// The same property as a child.
  final class Owner: Entity {
    var title: Wheel? { didSet { entityState.markChanged(0) } }
    var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      title = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(title, at: 0) }
    func visitChildren(_ walk: GraphWalk) { walk.visit(title, at: 0) }
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Owner.self, name: "Thing")
      schema.add("title", \Owner.title)
      return schema.build()
    }()
  }

  /// The same property as a number.
  final class Number: Entity {
    var title = 0 { didSet { entityState.markChanged(0) } }
    var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      title = try row.read(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.bind(title, at: 0) }
    func visitChildren(_ walk: GraphWalk) {}
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Number.self, name: "Thing")
      schema.add("title", \Number.title)
      return schema.build()
    }()
  }

  /// Two properties more: a plain one with a default that needs quoting, and a sealed one.
  final class Grown: Entity {
    var title = "" { didSet { entityState.markChanged(0) } }
    var color = "it's\(TestPlace.nul)red" { didSet { entityState.markChanged(1) } }
    var code = "MARKER-default" { didSet { entityState.markChanged(2) } }
    var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      title = try row.read(at: 0)
      color = try row.read(at: 1)
      code = try row.open(at: 2)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws {
      try row.bind(title, at: 0)
      try row.bind(color, at: 1)
      try row.seal(code, at: 2)
    }
    func visitChildren(_ walk: GraphWalk) {}
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(Grown.self, name: "Thing")
      schema.add("title", \Grown.title)
      schema.add("color", \Grown.color)
      schema.add("code", \Grown.code, sealed: SealedOptions())
      return schema.build()
    }()
  }

  /// A sealed property of another type than the one that was stored.
  final class SealedNumber: Entity {
    var title = 0 { didSet { entityState.markChanged(0) } }
    var entityState = EntityState()
    init() {}
    init(row: RowReader) throws {
      title = try row.open(at: 0)
      entityState = row.entityState()
    }
    func bindProperties(to row: RowBinder) throws { try row.seal(title, at: 0) }
    func visitChildren(_ walk: GraphWalk) {}
    static let entitySchema: EntitySchema = {
      var schema = EntitySchemaBuilder(SealedNumber.self, name: "Thing")
      schema.add("title", \SealedNumber.title, sealed: SealedOptions())
      return schema.build()
    }()
  }
}
