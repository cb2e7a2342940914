/// A piece of a method's SQL, as its configuration describes it.
enum TemplateNode: Equatable, Sendable {
  /// SQL as it stands.
  case text(String)
  /// `${T}`: the name of the table that the DAO works on.
  case tableName
  /// The same as a part of a longer name, or in quotes: it is put in as it is.
  case tablePart
  /// `#{…}`: a parameter.
  case bind(TemplateReference)
  /// `@{…}`: a value as a part of the text.
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

  /// An expression and what it has to be.
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
    /// What stands in place of the loop where no element makes SQL; nil where nothing is said about that.
    let empty: String?
    let nodes: [TemplateNode]
  }

  struct Pairs: Equatable, Sendable {
    let prefix: String
    let path: ReferencePath
    let join: String
    /// What stands there for a dictionary without pairs; nil where nothing is said about that.
    let empty: String?
  }

  struct Trim: Equatable, Sendable {
    /// What stands before the trimmed text, where there is any.
    let prefix: String
    let suffix: String
    /// Words that are taken off its beginning and its end.
    let prefixOverrides: [String]
    let suffixOverrides: [String]
    let onVoid: OnVoid
  }

  /// What an empty text means.
  enum OnVoid: Equatable, Sendable {
    /// Nothing: the rest follows.
    case goOn
    /// The statement ends here.
    case ignoreAfter
    /// The statement is not run, which is success.
    case quit
  }
}

/// A value that a template refers to.
struct TemplateReference: Equatable, Sendable {
  let path: ReferencePath
  /// `or ""`: whether nil is an empty text.
  var isEmptyForNil = false
  /// `no ""`: whether a text in `@{}` is put in as it is.
  var isUnquoted = false
  /// Its number among the references of its configuration, by which its place is known while the configuration is read.
  ///
  /// A place in here would be copied at each call.
  var number: Int32 = 0

  /// Compares what they refer to, wherever they stand.
  static func == (a: TemplateReference, b: TemplateReference) -> Bool {
    a.path == b.path && a.isEmptyForNil == b.isEmptyForNil && a.isUnquoted == b.isUnquoted
  }
}
