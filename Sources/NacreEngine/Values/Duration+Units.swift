extension Duration {
  /// The whole milliseconds.
  package var milliseconds: Int64 { whole(1_000) }
  /// The whole microseconds.
  package var microseconds: Int64 { whole(1_000_000) }
  /// The whole nanoseconds.
  package var nanoseconds: Int64 { whole(1_000_000_000) }

  /// The seconds, with their fraction.
  package var seconds: Double {
    let (whole, attoseconds) = components
    return Double(whole) + Double(attoseconds) / 1e18
  }

  /// Returns how many of a unit the time has, for so many in a second; as many as an integer can hold, if it is longer.
  private func whole(_ perSecond: Int64) -> Int64 {
    let (seconds, attoseconds) = components
    let (units, isTooLong) = seconds.multipliedReportingOverflow(by: perSecond)
    if isTooLong { return seconds < 0 ? .min : .max }
    let sum = units.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / perSecond))
    return sum.overflow ? (seconds < 0 ? .min : .max) : sum.partialValue
  }
}
