public import Foundation

extension NSRange: StorableValue {
  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// `{location, length}`.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a negative length.
  public var storedValue: Value {
    get throws {
      guard length >= 0 else { throw ValueError.outOfRange(type: "NSRange") }
      return .text("{\(location), \(length)}")
    }
  }

  /// Makes the range from `{location, length}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  public init(storedValue: Value) throws {
    let (location, length) = try BraceText.extent(storedValue, type: "NSRange")
    self.init(location: location, length: length)
  }
}

extension Range: QueryArgument where Bound == Int {}

extension Range: StorableValue where Bound == Int {
  /// TEXT, the same as an NSRange's.
  public static var storageClass: StorageClass { .text }

  /// `{location, length}`.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a length above `Int.max`.
  public var storedValue: Value {
    get throws {
      let (length, overflow) = upperBound.subtractingReportingOverflow(lowerBound)
      if overflow { throw ValueError.outOfRange(type: "Range<Int>") }
      return .text("{\(lowerBound), \(length)}")
    }
  }

  /// Makes the range from `{location, length}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form, or the end is above `Int.max`.
  public init(storedValue: Value) throws {
    let (location, length) = try BraceText.extent(storedValue, type: "Range<Int>")
    let (end, overflow) = location.addingReportingOverflow(length)
    if overflow { throw ValueError.outOfRange(type: "Range<Int>") }
    self = location..<end
  }
}

extension ClosedRange: QueryArgument where Bound == Int {}

extension ClosedRange: StorableValue where Bound == Int {
  /// TEXT, the same as an NSRange's.
  public static var storageClass: StorageClass { .text }

  /// `{location, length}`; the length counts both ends, so it is 1 or more.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a length above `Int.max`.
  public var storedValue: Value {
    get throws {
      let (distance, overflow) = upperBound.subtractingReportingOverflow(lowerBound)
      if overflow || distance == .max { throw ValueError.outOfRange(type: "ClosedRange<Int>") }
      return .text("{\(lowerBound), \(distance + 1)}")
    }
  }

  /// Makes the range from `{location, length}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form, the length is 0 or the end is above `Int.max`.
  public init(storedValue: Value) throws {
    let (location, length) = try BraceText.extent(storedValue, type: "ClosedRange<Int>")
    if length == 0 { throw ValueError.malformed(type: "ClosedRange<Int>") }
    let (last, overflow) = location.addingReportingOverflow(length - 1)
    if overflow { throw ValueError.outOfRange(type: "ClosedRange<Int>") }
    self = location...last
  }
}
