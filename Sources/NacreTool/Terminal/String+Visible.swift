#if Tool
extension String {
  /// The text in one line, with everything escaped that a terminal would act on or hide.
  ///
  /// The content of a store may come from a stranger.
  var visible: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\\": text += "\\\\"
      case _ where scalar.isVisible: text.unicodeScalars.append(scalar)
      default: text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return text
  }

  /// The visible text in double quotes.
  var quoted: String { "\"" + visible.replacing("\"", with: "\\\"") + "\"" }
}

extension Unicode.Scalar {
  fileprivate var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }
}
#endif
