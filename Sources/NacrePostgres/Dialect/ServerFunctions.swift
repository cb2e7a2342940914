#if PostgreSQL
import NacreEngine

/// The functions in a store's schema that compute as Swift does where the server's own do otherwise.
///
/// Their names need no quotes.
enum ServerFunctions {
  /// The type of decimals, which are stored as text and compared as numbers.
  static let decimalType = EngineCollation.decimals
  /// The function that makes a number of a decimal, and NaN, which comes after all numbers, of another text.
  static let number = "nacre_number"
  /// The function that returns a new row's key: its own, or the next of a sequence, which then goes on behind it.
  static let key = "nacre_generated_key"

  /// The name of a function; nil if the server has none that computes as Swift does.
  static func name(of function: EngineFunction) -> String? {
    switch function {
    case .compareDecimals: "nacre_compare_decimal"
    case .addDecimals: "nacre_add_decimal"
    case .contains: "nacre_contains"
    case .starts: "nacre_starts"
    case .characterCount: "nacre_count"
    case .fold, .compareIgnoringCase, .compareLocalized, .listItem: nil
    }
  }

  /// The statements that make the type and the functions, each after those that it uses.
  static let create =
    [
      "CREATE DOMAIN \(decimalType) AS text COLLATE \"C\"",
      function(number, "value text", "numeric", isNumber),
      function(
        "nacre_compare_decimal",
        "a text, b text",
        "integer",
        """
        CASE WHEN 'NaN' IN (\(number)(a), \(number)(b)) THEN NULL \
        ELSE sign(\(number)(a) - \(number)(b))::integer END
        """
      ),
      function("nacre_exponent", "value numeric", "integer", exponent),
      function("nacre_exact_decimal", "value numeric, exponent integer", "text", exactDecimal),
      function(
        "nacre_add_decimal",
        "a text, b text",
        "text",
        """
        nacre_exact_decimal(trim_scale(\(number)(a) + \(number)(b)), \
        least(nacre_exponent(\(number)(a)), nacre_exponent(\(number)(b))))
        """
      ),
      function("nacre_characters", "value text", "text", characters),
      function("nacre_plain", "value text", "boolean", isPlain),
      function(
        "nacre_contains",
        "a text, b text",
        "boolean",
        """
        CASE WHEN nacre_plain(a) AND nacre_plain(b) THEN strpos(a, b) > 0 \
        ELSE strpos(chr(1) || nacre_characters(a), chr(1) || nacre_characters(b)) > 0 END
        """
      ),
      function(
        "nacre_starts",
        "a text, b text",
        "boolean",
        """
        CASE WHEN nacre_plain(a) AND nacre_plain(b) THEN starts_with(a, b) \
        ELSE starts_with(nacre_characters(a), nacre_characters(b)) END
        """
      ),
      function(
        "nacre_count",
        "value text",
        "bigint",
        """
        CASE WHEN nacre_plain(value) THEN length(value) \
        ELSE length(nacre_characters(value)) - length(normalize(value, NFD)) END
        """
      ),
      """
      CREATE FUNCTION \(key)(sequence regclass, value bigint) RETURNS bigint LANGUAGE sql VOLATILE \
      RETURN CASE WHEN value IS NULL THEN nextval(sequence) \
      WHEN value > coalesce(pg_sequence_last_value(sequence), 0) THEN setval(sequence, value) \
      ELSE value END
      """,
    ]

  private static func function(
    _ name: String,
    _ parameters: String,
    _ result: String,
    _ expression: String
  ) -> String {
    "CREATE FUNCTION \(name)(\(parameters)) RETURNS \(result) LANGUAGE sql IMMUTABLE PARALLEL SAFE "
      + "RETURN \(expression)"
  }

  /// The same texts are numbers as in `Decimal.isNumber`.
  private static let isNumber = """
    CASE WHEN value IS NULL THEN NULL \
    WHEN value COLLATE "C" ~ '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?$' THEN value::numeric \
    ELSE 'NaN'::numeric END
    """

  /// The power of ten of the last digit of a number that is not 0; the greatest that a `Decimal` has for 0, which has none.
  private static let exponent = """
    CASE WHEN value IN (0, 'NaN') THEN 127 \
    WHEN scale(trim_scale(value)) > 0 THEN -scale(trim_scale(value)) \
    ELSE length(trunc(value)::text) - length(rtrim(trunc(value)::text, '0')) END
    """

  /// The text of a sum; NULL for NaN, and for one that a `Decimal` does not add exactly: its digits, down to the last one
  /// of a part, are an integer of 128 bits.
  private static let exactDecimal = """
    CASE WHEN value = 'NaN' OR exponent < -128 THEN NULL \
    WHEN abs(value) <= ('340282366920938463463374607431768211455e' || least(exponent, 127))::numeric \
    THEN value::text END
    """

  /// The canonical decomposition of a text, with U+0001 behind each character.
  ///
  /// A text that has a character U+0001 itself stays unambiguous, because it is three of them in a row.
  private static let characters =
    "regexp_replace(normalize(value, NFD), '\(CharacterClasses.pattern)', E'\\\\&\\u0001', 'g')"

  /// Whether every byte of a text is one character: ASCII without a carriage return.
  private static let isPlain = "octet_length(value) = length(value) AND strpos(value, chr(13)) = 0"
}
#endif
