package import NacreEngine

extension ScalarFunction {
  /// Returns the code of a function of Nacre's own.
  package static func own(_ function: EngineFunction) -> ScalarFunction {
    switch function {
    case .compareDecimals: DecimalFunctions.compare
    case .addDecimals: DecimalFunctions.add
    case .contains: TextFunctions.contains
    case .starts: TextFunctions.starts
    case .compareIgnoringCase: TextFunctions.compareIgnoringCase
    case .compareLocalized: TextFunctions.compareLocalized
    case .fold: TextFunctions.fold
    case .characterCount: TextFunctions.count
    case .listItem: ListFunctions.item
    }
  }
}
