import Testing

@testable import NacreMacros

/// Mistakes in `@Encrypted`, whatever its index is.
struct SealingDiagnosticTests {
  @Test(arguments: ["Link<Person>? = nil", "Links<Person> = Links()", "[Link<Person>] = []"])
  func `a reference can't be encrypted`(type: String) {
    expectDiagnostic(
      of: "@Encrypted var a: \(type)",
      .encryptedReference,
      column: 3,
      fixed: ["remove '@Encrypted'": "var a: \(type)"]
    )
  }

  @Test func `a sealed column has no default in plain`() {
    expectDiagnostic(
      of: "@Encrypted @Column(default: 7) var a = 0",
      .encryptedDefault,
      column: 22,
      fixed: ["remove '@Column'": "@Encrypted var a = 0"]
    )
  }

  @Test func `a sealed property is in no full-text index`() {
    expectDiagnostic(
      of: "@Encrypted @Column(fullText: true) var a = \"\"",
      .encryptedFullText("a"),
      column: 22,
      fixed: ["remove '@Column'": "@Encrypted var a = \"\""]
    )
    expectDiagnostics(
      "final class Car {\n  @Column(fullText: false) @Encrypted var a = \"\"\n}",
      []
    )
  }

  @Test(arguments: [("unique", "unique"), ("indexed", "searchable")])
  func `an index of a sealed column is asked for by Encrypted`(old: String, new: String) {
    expectDiagnostic(
      of: "@Encrypted @Column(\(old): true) var a = 0",
      .encryptedColumn(old, new),
      column: 22,
      fixed: [
        "use '@Encrypted(\(new): true)' instead": "@Encrypted(\(new): true) var a = 0",
        "remove '@Column'": "@Encrypted var a = 0",
      ]
    )
  }

  @Test func `an index moves to Encrypted and leaves the other arguments where they are`() {
    expectDiagnostic(
      of: "@Column(\"b\", indexed: true) @Encrypted(padding: .padme) private var a = 0",
      .encryptedColumn("indexed", "searchable"),
      column: 16,
      fixed: [
        "use '@Encrypted(searchable: true)' instead":
          "@Column(\"b\") @Encrypted(searchable: true, padding: .padme) private var a = 0",
        "remove 'indexed'": "@Column(\"b\") @Encrypted(padding: .padme) private var a = 0",
      ]
    )
    expectDiagnostic(
      of: "@Column(unique: isUnique) @Encrypted var a = 0",
      .encryptedColumn("unique", "unique"),
      column: 11,
      fixed: ["remove '@Column'": "@Encrypted var a = 0"]
    )
    expectDiagnostics("final class Car {\n  @Column(unique: false) @Encrypted var a = 0\n}", [])
  }

  @Test(arguments: ["searchable", "unique", "acceptsLeakage", "hidesNil"])
  func `a flag of the attribute has to be a literal`(label: String) {
    expectDiagnostic(
      of: "@Encrypted(\(label): isOn) var a = false",
      .notABoolean(label),
      column: 16 + label.count
    )
  }

  @Test(arguments: ["a = \"\"", "a: Int = 0", "a: Secret = Secret()", "a = [1]", "a = Date()"])
  func `hidesNil is refused for a property that is never nil`(property: String) {
    expectDiagnostic(
      of: "@Encrypted(hidesNil: true) var \(property)",
      .nothingHidden("a"),
      column: 14,
      fixed: ["remove 'hidesNil'": "@Encrypted var \(property)"]
    )
  }

  @Test(arguments: ["a: Int?", "a: Optional<Secret> = nil", "a: (Int?) = nil", "a = makeSecret()"])
  func `a property that may be nil may hide it`(property: String) {
    expectDiagnostics("final class Car {\n  @Encrypted(hidesNil: true) var \(property)\n}", [])
  }

  @Test func `a unique property may not hide nil`() {
    expectDiagnostic(
      of: "@Encrypted(unique: true, hidesNil: true) var a: String?",
      .uniqueNil,
      column: 28,
      fixed: ["remove 'hidesNil'": "@Encrypted(unique: true) var a: String?"]
    )
    let both = "@Encrypted(searchable: true, unique: false, hidesNil: true) var a: String?"
    expectDiagnostics("final class Car {\n  \(both)\n}", [])
  }

  @Test func `an argument that is removed leaves the property sealed, and the others in place`() {
    expectDiagnostic(
      of: "@Encrypted(hidesNil: true, padding: .padme) var a = 0",
      .nothingHidden("a"),
      column: 14,
      fixed: ["remove 'hidesNil'": "@Encrypted(padding: .padme) var a = 0"]
    )
    expectDiagnostic(
      of: "@Encrypted(searchable: true, hidesNil: true) var a = 0",
      .nothingHidden("a"),
      column: 32,
      fixed: ["remove 'hidesNil'": "@Encrypted(searchable: true) var a = 0"]
    )
    expectDiagnostics(
      "final class Car {\n  @Encrypted(hidesNil: true)\n  var a = 0\n}",
      [Expected(.nothingHidden("a"), 3, 14, fixIts: ["remove 'hidesNil'"])],
      fixed: ["remove 'hidesNil'": "final class Car {\n  @Encrypted\n  var a = 0\n}"]
    )
  }
}
