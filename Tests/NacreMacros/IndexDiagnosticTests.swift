import Testing

@testable import NacreMacros

/// Mistakes in the blind index that `@Encrypted` asks for.
struct IndexDiagnosticTests {
  @Test(arguments: [
    ("bits", "32"), ("bits", "width"), ("normalizer", ".nfc"), ("acceptsLeakage", "true"),
  ])
  func `an index option has no effect without an index`(label: String, value: String) {
    expectDiagnostic(
      of: "@Encrypted(\(label): \(value)) var a: String?",
      .indexOption(label),
      column: 14,
      fixed: [
        "set 'searchable: true'": "@Encrypted(searchable: true, \(label): \(value)) var a: String?",
        "remove '\(label)'": "@Encrypted var a: String?",
      ]
    )
  }

  @Test func `options of an index that is turned off come with a fix that turns it on`() {
    expectDiagnostic(
      of: "@Encrypted(searchable: false, bits: 32, suite: .aes256GCM) var a: String?",
      .indexOption("bits"),
      column: 33,
      fixed: [
        "set 'searchable: true'":
          "@Encrypted(searchable: true, bits: 32, suite: .aes256GCM) var a: String?",
        "remove 'bits'": "@Encrypted(searchable: false, suite: .aes256GCM) var a: String?",
      ]
    )
  }

  @Test(arguments: [
    "bits: nil", "normalizer: .exact", "normalizer: Normalizer.exact", "acceptsLeakage: false",
    "searchable: false", "unique: true, bits: 64", "unique: true, bits: 256",
    "searchable: true, bits: 1", "searchable: true, bits: 0x1_00", "unique: true, bits: width",
    "unique: true, normalizer: .casefold", "searchable: true, normalizer: .digits",
    "searchable: true, acceptsLeakage: true",
  ])
  func `default and valid options of an index are accepted`(arguments: String) {
    expectDiagnostics("final class Car {\n  @Encrypted(\(arguments)) var a: String?\n}", [])
  }

  @Test(arguments: ["0", "257", "-1", "0x101", "1_000", "99999999999999999999"])
  func `an index has as many bits as a hash at most`(bits: String) {
    expectDiagnostic(
      of: "@Encrypted(searchable: true, bits: \(bits)) var a: String?",
      .indexBits,
      column: 38,
      fixed: ["remove 'bits'": "@Encrypted(searchable: true) var a: String?"]
    )
  }

  @Test func `a unique index is wide enough to tell values apart`() {
    expectDiagnostic(
      of: "@Encrypted(unique: true, bits: 63) var a: String?",
      .uniqueBits,
      column: 34,
      fixed: ["remove 'bits'": "@Encrypted(unique: true) var a: String?"]
    )
    expectDiagnostic(
      of: "@Encrypted(unique: true, bits: 0) var a: String?",
      .indexBits,
      column: 34,
      fixed: ["remove 'bits'": "@Encrypted(unique: true) var a: String?"]
    )
    expectDiagnostics(
      "final class Car {\n  @Encrypted(unique: false, bits: 8) var a: String?\n}",
      [
        Expected(
          .indexOption("bits"),
          3,
          29,
          fixIts: ["set 'searchable: true'", "remove 'bits'"]
        )
      ]
    )
  }

  @Test(arguments: [
    "a = true", "a = !false", "a: Bool = false", "a: Bool?", "a: Swift.Bool = false",
    "a: Optional<Bool> = nil", "a = Bool()",
  ])
  func `an index of a Bool is asked for twice`(property: String) {
    expectDiagnostic(
      of: "@Encrypted(searchable: true) var \(property)",
      .indexedBoolean("a"),
      column: 14,
      fixed: [
        "remove 'searchable'": "@Encrypted var \(property)",
        "set 'acceptsLeakage: true'":
          "@Encrypted(searchable: true, acceptsLeakage: true) var \(property)",
      ]
    )
    let accepted = "@Encrypted(searchable: true, acceptsLeakage: true) var \(property)"
    expectDiagnostics("final class Car {\n  \(accepted)\n}", [])
  }

  @Test func `the whole index of a Bool is taken back or accepted at once`() {
    expectDiagnostic(
      of:
        "@Encrypted(unique: true, bits: 64, acceptsLeakage: false, padding: .padme) var a = false",
      .indexedBoolean("a"),
      column: 14,
      fixed: [
        "remove 'unique', 'acceptsLeakage' and 'bits'":
          "@Encrypted(padding: .padme) var a = false",
        "set 'acceptsLeakage: true'":
          "@Encrypted(unique: true, bits: 64, acceptsLeakage: true, padding: .padme) var a = false",
      ]
    )
    expectDiagnostic(
      of: "@Encrypted(searchable: true, bits: 8, suite: .aes256GCM) var a = false",
      .indexedBoolean("a"),
      column: 14,
      fixed: [
        "remove 'searchable' and 'bits'": "@Encrypted(suite: .aes256GCM) var a = false",
        "set 'acceptsLeakage: true'":
          "@Encrypted(searchable: true, bits: 8, acceptsLeakage: true, suite: .aes256GCM) var a = false",
      ]
    )
  }

  @Test(arguments: [
    "a = 1", "a: Double?", "a = Data()", "a: Date?", "a: UUID?", "a = Decimal(1)", "a = [\"b\"]",
    "a: [String: Int] = [:]",
  ])
  func `a normalizer applies to text`(property: String) {
    expectDiagnostic(
      of: "@Encrypted(searchable: true, normalizer: .nfc) var \(property)",
      .normalizedValue("a"),
      column: 32,
      fixed: ["remove 'normalizer'": "@Encrypted(searchable: true) var \(property)"]
    )
    let exact = "@Encrypted(searchable: true, normalizer: .exact) var \(property)"
    expectDiagnostics("final class Car {\n  \(exact)\n}", [])
  }

  @Test(arguments: ["a = \"\"", "a: String?", "a: URL?", "a: Name?", "a = makeName()"])
  func `a property that is or may be text may have a normalizer`(property: String) {
    expectDiagnostics(
      "final class Car {\n  @Encrypted(unique: true, normalizer: .casefold) var \(property)\n}",
      []
    )
  }
}
