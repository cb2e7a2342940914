#if Tool
import ArgumentParser
import NacreStore

/// How to seal a property, as `@Encrypted(…)` says it in the class.
struct SealedFormOptions: ParsableArguments {
  @Flag(help: "Objects can be fetched by the value, through a blind index.")
  var searchable = false

  @Flag(help: "No two objects may have the same value; implies searchable.")
  var unique = false

  @Option(help: ArgumentHelp("The width of the blind index.", valueName: "bits"))
  var bits: Int?

  @Option(help: "How texts are made comparable.")
  var normalizer: Normalizer?

  @Flag(
    help: "Allow an index of a type with few values, although it shows them to anybody who counts."
  )
  var acceptsLeakage = false

  @Flag(help: "Seal nil, too.")
  var hidesNil = false

  @Option(help: "How the lengths of values are hidden.")
  var padding: Padding?

  @Option(help: "The suite that seals; by default the store's.")
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
#endif
