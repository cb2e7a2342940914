/// A piece of a method's SQL, as its configuration describes it.
enum TemplateNode: Equatable, Sendable {
  /// SQL, used as it is.
  case text(String)
  /// `${T}`: the name of the table that the DAO works on.
  case tableName
  /// `${T}` as a part of a longer name, or in quotes: the table's name is put in as it is.
  case tablePart
  /// `#{…}`: a parameter.
  case bind(TemplateReference)
  /// `@{…}`: a value that becomes a part of the text.
  case splice(TemplateReference)
  /// `<if>`.
  indirect case conditional(Condition, [TemplateNode])
  /// `<choose>`: the nodes of the first `<when>` that holds, or else those of `<otherwise>`.
  case choice([Branch], otherwise: [TemplateNode])
  /// `<foreach>` inside of SQL.
  indirect case loop(Loop)
  /// `<where>`, `<set>` and `<trim>`.
  indirect case trim(Trim, [TemplateNode])
  /// `<format>`: the pairs of a dictionary, as `name = ?`.
  indirect case pairs(Pairs)

  /// `<bind>`: a name for a value.
  indirect case definition(Definition)

  /// A name that the nodes after it, in the same list, can use, and the expression whose value it has.
  struct Definition: Equatable, Sendable {
    let name: String
    let value: Expression
  }

  /// An expression, and the value that it must have.
  struct Condition: Equatable, Sendable {
    let expression: Expression
    let wanted: Bool
  }

  struct Branch: Equatable, Sendable {
    let condition: Condition
    let nodes: [TemplateNode]
  }

  struct Loop: Equatable, Sendable {
    let item: String
    let collection: ReferencePath
    let open: String
    let separator: String
    let close: String
    let isReversed: Bool
    /// The text in place of the loop if no element makes SQL; nil if the configuration does not say.
    let empty: String?
    var nodes: [TemplateNode]
    /// The name for an element's number, from 0, or for its key in a dictionary; nil if it has none.
    var index: String?

    /// The names that each element gives to values.
    var names: [String] { [item] + [index].compactMap { $0 } }
  }

  struct Pairs: Equatable, Sendable {
    let prefix: String
    let path: ReferencePath
    let join: String
    /// The text for a dictionary without pairs; nil if the configuration does not say.
    let empty: String?
  }

  struct Trim: Equatable, Sendable {
    /// The text before the trimmed text, if that is not empty.
    let prefix: String
    var suffix = ""
    /// The words that are removed from its beginning; `suffixOverrides` are removed from its end.
    var prefixOverrides: [String] = []
    var suffixOverrides: [String] = []
    let onVoid: OnVoid
  }

  /// Says what to do if the text is empty.
  enum OnVoid: Equatable, Sendable {
    /// Go on with the rest.
    case goOn
    /// End the statement here.
    case ignoreAfter
    /// Don't run the statement, which counts as success.
    case quit
  }
}

/// A value that a template refers to.
struct TemplateReference: Equatable, Sendable {
  let path: ReferencePath
  /// `or ""`: whether nil becomes an empty text.
  var isEmptyForNil = false
  /// `no ""`: whether a text in `@{}` is put in as it is.
  var isUnquoted = false
  /// Its number among the references of its configuration; while the configuration is read, the number leads to its
  /// place.
  ///
  /// A place stored here would be copied at each call.
  var number: Int32 = 0

  /// Compares what the references refer to, and ignores their places.
  static func == (a: TemplateReference, b: TemplateReference) -> Bool {
    a.path == b.path && a.isEmptyForNil == b.isEmptyForNil && a.isUnquoted == b.isUnquoted
  }
}
