import ArgumentParser
import NacreStore

/// How to seal a property, as `@Encrypted(…)` says it in the class.
struct SealedFormOptions: ParsableArguments {
  @Flag(help: "Objects can be fetched by the value, over a blind index.")
  var searchable = false

  @Flag(help: "No two objects may have the same value; searchable, too.")
  var unique = false

  @Option(help: ArgumentHelp("The width of the blind index.", valueName: "bits"))
  var bits: Int?

  @Option(help: "How texts are made comparable.")
  var normalizer: Normalizer?

  @Flag(help: "An index of a type with few values is wanted all the same.")
  var acceptsLeakage = false

  @Flag(help: "nil is sealed, too.")
  var hidesNil = false

  @Option(help: "How lengths are hidden.")
  var padding: Padding?

  @Option(help: "The suite that seals; the store's if not given.")
  var suite: SuiteChoice?

  func validate() throws {
    guard bits.map((1...256).contains) ?? true else {
      throw ValidationError("--bits must be from 1 to 256.")
    }
    guard bits == nil && normalizer == nil || searchable || unique else {
      throw ValidationError("--bits and --normalizer belong to --searchable or --unique.")
    }
  }

  /// Whether all options have their defaults.
  var isEmpty: Bool { options == SealedOptions() }

  var options: SealedOptions {
    SealedOptions(
      isSearchable: searchable,
      isUnique: unique,
      bits: bits,
      normalizer: normalizer ?? .exact,
      acceptsLeakage: acceptsLeakage,
      hidesNil: hidesNil,
      padding: padding ?? .none,
      suite: suite?.suite
    )
  }
}
