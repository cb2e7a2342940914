import SwiftParser
import SwiftSyntax
import Testing

@testable import NacreMacros

struct EntityPropertyTests {
  @Test func `a property is computed over a stored one and tells of reads and changes`() {
    expectExpansion(
      """
      final class Car {
        /// Its power.
        @EntityProperty(2) public private(set) var power: Int = 0
        @EntityProperty(3) var `default`: String?
      }
      """,
      """
      final class Car {
        /// Its power.
        public private(set) var power: Int {
        @storageRestrictions(initializes: _power)
        init(initialValue) {
          _power = initialValue
        }
        get {
          entityObservation.access(self, \\.power)
          return _power
        }
        set {
          entityObservation.willSet(self, \\.power)
          _power = newValue
          entityState.markChanged(2)
          entityObservation.didSet(self, \\.power)
        }
        _modify {
          entityObservation.willSet(self, \\.power)
          defer {
            entityState.markChanged(2)
            entityObservation.didSet(self, \\.power)
          }
          yield &_power
        }
        }

        private var _power: Int = 0
        var `default`: String? {
        @storageRestrictions(initializes: _default)
        init(initialValue) {
          _default = initialValue
        }
        get {
          entityObservation.access(self, \\.`default`)
          return _default
        }
        set {
          entityObservation.willSet(self, \\.`default`)
          _default = newValue
          entityState.markChanged(3)
          entityObservation.didSet(self, \\.`default`)
        }
        _modify {
          entityObservation.willSet(self, \\.`default`)
          defer {
            entityState.markChanged(3)
            entityObservation.didSet(self, \\.`default`)
          }
          yield &_default
        }
        }

        private var _default: String?
      }
      """
    )
  }

  @Test func `children are noted before they are set`() {
    expectExpansion(
      """
      final class Car {
        @EntityProperty(2) var wheels: [Wheel] = []
      }
      """,
      """
      final class Car {
        var wheels: [Wheel] {
        @storageRestrictions(initializes: _wheels)
        init(initialValue) {
          _wheels = initialValue
        }
        get {
          entityObservation.access(self, \\.wheels)
          return _wheels
        }
        set {
          entityChildren.note(_wheels, at: 2, entityState)
          entityObservation.willSet(self, \\.wheels)
          _wheels = newValue
          entityState.markChanged(2)
          entityObservation.didSet(self, \\.wheels)
        }
        _modify {
          entityChildren.note(_wheels, at: 2, entityState)
          entityObservation.willSet(self, \\.wheels)
          defer {
            entityState.markChanged(2)
            entityObservation.didSet(self, \\.wheels)
          }
          yield &_wheels
        }
        }

        private var _wheels: [Wheel] = []
      }
      """
    )
  }

  @Test(arguments: [
    ("var a: [Wheel] = []", true), ("var a = Wheels()", true), ("var a: Wheels = []", true),
    ("var a: [Int] = []", false), ("var a: Engine?", false), ("var a = Links<Wheel>()", false),
    ("@Relationship(removed: .delete) var a: Engine?", true),
    ("@Encrypted var a: [Wheel] = []", false),
    ("@Relationship(delete: .keep) var a: Engine?", false), ("var a: Link<Wheel>?", false),
  ])
  func `lists are noted, and children that are deleted when they are taken out`(
    source: String,
    isNoted: Bool
  ) throws {
    let item = Parser.parse(source: source).statements.first?.item
    let variable = try #require(item?.as(VariableDeclSyntax.self))
    let attributes = PropertyAttributes(parsing: variable.attributes)
    let property = try #require(variable.property(attributes))
    #expect(property.mayBeMerged == isNoted)
  }

  @Test func `a property with a didSet of its own is marked before that can save it`() {
    expectExpansion(
      """
      final class Car {
        @EntityProperty(2) var name: String = "" {
          didSet { name = name.trimmed(self.name, other.name, \\.name, name: oldValue) }
        }
      }
      """,
      """
      final class Car {
        var name: String {
          didSet { name = name.trimmed(self.name, other.name, \\.name, name: oldValue) }
          @storageRestrictions(initializes: _name)
          init(initialValue) {
            _name = initialValue
          }

          get {
            entityObservation.access(self, \\.name)
            return _name
          }

          set {
            entityObservation.willSet(self, \\.name)
            entityState.markChanged(2)
            _name = newValue
            entityObservation.didSet(self, \\.name)
          }

          _modify {
            entityObservation.willSet(self, \\.name)
            entityState.markChanged(2)
            defer {
              entityObservation.didSet(self, \\.name)
            }
            yield &_name
          }
        }

        private var _name: String = "" {
            didSet { _name = _name.trimmed(self._name, other.name, \\.name, name: oldValue) }
          }
      }
      """
    )
  }

  @Test(arguments: [
    (
      "for name in names { log(name) }; name = \"\"",
      "for name in names { log(name) }; _name = \"\""
    ),
    (
      "if let name = find(name) { log(name) } else { name = \"\" }",
      "if let name = find(_name) { log(name) } else { _name = \"\" }"
    ),
    ("send { name in log(name) }; name += x", "send { name in log(name) }; _name += x"),
    ("send { [name] in log(name) }; name += x", "send { [name] in log(name) }; _name += x"),
    ("send { [unowned(safe) name] in log(name) }", "send { [unowned(safe) name] in log(name) }"),
    ("send { [name = name] in log(name) }", "send { [name = _name] in log(name) }"),
    ("send { [old = name] in log(old, name) }", "send { [old = _name] in log(old, _name) }"),
    ("name = a; let name = name; log(name)", "_name = a; let name = _name; log(name)"),
    (
      "guard let name = find(name) else { return }; log(name)",
      "guard let name = find(_name) else { return }; log(name)"
    ),
    (
      "do { try f(name) } catch let name { log(name) }",
      "do { try f(_name) } catch let name { log(name) }"
    ),
    (
      "switch name { case let name: log(name) }; name = a",
      "switch _name { case let name: log(name) }; _name = a"
    ),
    (
      "func log(name: Int) { print(name) }; name = a",
      "func log(name: Int) { print(name) }; _name = a"
    ),
    ("while let name = next(name) { log(name) }", "while let name = next(_name) { log(name) }"),
    (
      "if let name, name.count > 3 { log(name) } else { name = \"\" }",
      "if let name, name.count > 3 { log(name) } else { _name = \"\" }"
    ),
    (
      "guard name != a, let name = find(name), name != b else { name = a; return }; log(name)",
      "guard _name != a, let name = find(_name), name != b else { _name = a; return }; log(name)"
    ),
    (
      "while let name = next(), name != a { log(name) }; name = a",
      "while let name = next(), name != a { log(name) }; _name = a"
    ),
    (
      "for name in names where name != a { log(name) }; name = a",
      "for name in names where name != a { log(name) }; _name = a"
    ),
    (
      "switch name { case let name where name > b: log(name); case a where name > b: name = a }",
      "switch _name { case let name where name > b: log(name); case a where _name > b: _name = a }"
    ),
    (
      "do { try f() } catch let name where name == a { log(name) } catch { name = a }",
      "do { try f() } catch let name where name == a { log(name) } catch { _name = a }"
    ),
    (
      "if !list.contains(where: { name in name == a }) { name = a }",
      "if !list.contains(where: { name in name == a }) { _name = a }"
    ),
    (
      "for name in names { for name in name { log(name) } }; if name == a { name = b }",
      "for name in names { for name in name { log(name) } }; if _name == a { _name = b }"
    ),
  ])
  func `a local name hides the property's as far as it reaches`(body: String, moved: String) {
    let source = Parser.parse(source: "var name = \"\" { didSet { \(body) } }")
    let references = StorageReferences(name: "name", storage: "_name")
    let rewritten = references.rewrite(source).trimmedDescription
    #expect(rewritten == "var name = \"\" { didSet { \(moved) } }")
  }

  @Test func `an observer's own names are not the property's`() {
    expectExpansion(
      """
      final class Car {
        @EntityProperty(2) var name: String = "" {
          willSet(name) { print(name, self.name) }
        }
      }
      """,
      """
      final class Car {
        var name: String {
          willSet(name) { print(name, self.name) }
          @storageRestrictions(initializes: _name)
          init(initialValue) {
            _name = initialValue
          }

          get {
            entityObservation.access(self, \\.name)
            return _name
          }

          set {
            entityObservation.willSet(self, \\.name)
            _name = newValue
            entityState.markChanged(2)
            entityObservation.didSet(self, \\.name)
          }

          _modify {
            entityObservation.willSet(self, \\.name)
            defer {
              entityState.markChanged(2)
              entityObservation.didSet(self, \\.name)
            }
            yield &_name
          }
        }

        private var _name: String = "" {
            willSet(name) { print(name, self._name) }
          }
      }
      """
    )
  }

  @Test func `the index of a property counts only the stored ones before it`() {
    expectAttributes(
      """
      @Entity final class Car {
        static var count = 0
        var a = 0
        var b: Int { a }
        @Transient var c = 0
        var `d` = 0
        func e() {}
        var f = 0
      }
      """,
      """
      final class Car {
        static var count = 0
        @Nacre.EntityProperty(0)
        var a = 0
        var b: Int { a }
        @Transient var c = 0
        @Nacre.EntityProperty(1)
        var `d` = 0
        func e() {}
        @Nacre.EntityProperty(2)
        var f = 0
      }
      """
    )
  }

  @Test func `a declaration that is no entity is left alone`() {
    expectAttributes(
      """
      @Entity class Car {
        var a = 0
      }
      """,
      """
      class Car {
        var a = 0
      }
      """
    )
  }
}
