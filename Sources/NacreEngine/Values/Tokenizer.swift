/// How a full-text index tells the words of a text apart: the tokenizers of SQLite's FTS5
/// (sqlite.org/fts5.html#tokenizers).
///
/// The raw value is what the store's catalog holds, and the meaning of one never changes.
public enum Tokenizer: String, Sendable, CaseIterable {
  /// Words of letters and digits, without regard to case and accents: `Ämter` finds `amter`.
  case unicode61 = "unicode61 remove_diacritics 2"
  /// The same words, and each by its English stem: `driving` finds `drives`.
  case porter = "porter unicode61 remove_diacritics 2"
  /// Every three characters in a row, so that any part of a word is found: `evro` finds `Chevrolet`.
  ///
  /// The index takes several times the space, and what is looked for needs three characters.
  case trigram
}
