#if canImport(CoreGraphics)
public import CoreGraphics
#endif
public import Foundation

extension CGFloat: StorableValue {
  /// REAL.
  public static var storageClass: StorageClass { .real }

  /// The number.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value { get throws { try Double(self).storedValue } }

  /// Makes the number from a REAL.
  ///
  /// - Throws: ``ValueError`` when the value is not a number.
  public init(storedValue: Value) throws { self.init(try Double(storedValue: storedValue)) }
}

extension CGPoint: StorableValue {
  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// `{x, y}`.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value { get throws { .text(try BraceText.text(x, y, type: "CGPoint")) } }

  /// Makes the point from `{x, y}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  public init(storedValue: Value) throws {
    let numbers = try BraceText.numbers(storedValue, 2, type: "CGPoint")
    self.init(x: numbers[0], y: numbers[1])
  }
}

extension CGSize: StorableValue {
  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// `{width, height}`.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value {
    get throws { .text(try BraceText.text(width, height, type: "CGSize")) }
  }

  /// Makes the size from `{width, height}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  public init(storedValue: Value) throws {
    let numbers = try BraceText.numbers(storedValue, 2, type: "CGSize")
    self.init(width: numbers[0], height: numbers[1])
  }
}

extension CGRect: StorableValue {
  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// `{{x, y}, {width, height}}`, with the origin and size as they are, not standardized.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value {
    get throws {
      let corner = try BraceText.text(origin.x, origin.y, type: "CGRect")
      let extent = try BraceText.text(size.width, size.height, type: "CGRect")
      return .text("{\(corner), \(extent)}")
    }
  }

  /// Makes the rectangle from `{{x, y}, {width, height}}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  public init(storedValue: Value) throws {
    let numbers = try BraceText.pairs(storedValue, type: "CGRect")
    self.init(
      origin: CGPoint(x: numbers[0], y: numbers[1]),
      size: CGSize(width: numbers[2], height: numbers[3])
    )
  }
}

extension AffineTransform: StorableValue {
  /// TEXT, the same as a CGAffineTransform's.
  public static var storageClass: StorageClass { .text }

  /// `{m11, m12, m21, m22, tX, tY}`.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value {
    get throws {
      .text(try BraceText.text(m11, m12, m21, m22, tX, tY, type: "AffineTransform"))
    }
  }

  /// Makes the transform from `{m11, m12, m21, m22, tX, tY}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  public init(storedValue: Value) throws {
    let numbers = try BraceText.numbers(storedValue, 6, type: "AffineTransform")
    self.init(
      m11: numbers[0],
      m12: numbers[1],
      m21: numbers[2],
      m22: numbers[3],
      tX: numbers[4],
      tY: numbers[5]
    )
  }
}

#if canImport(CoreGraphics)
extension CGVector: StorableValue {
  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// `{dx, dy}`.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value {
    get throws { .text(try BraceText.text(dx, dy, type: "CGVector")) }
  }

  /// Makes the vector from `{dx, dy}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  public init(storedValue: Value) throws {
    let numbers = try BraceText.numbers(storedValue, 2, type: "CGVector")
    self.init(dx: numbers[0], dy: numbers[1])
  }
}

extension CGAffineTransform: StorableValue {
  /// TEXT, the same as an AffineTransform's.
  public static var storageClass: StorageClass { .text }

  /// `{a, b, c, d, tx, ty}`.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value {
    get throws { .text(try BraceText.text(a, b, c, d, tx, ty, type: "CGAffineTransform")) }
  }

  /// Makes the transform from `{a, b, c, d, tx, ty}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  public init(storedValue: Value) throws {
    let numbers = try BraceText.numbers(storedValue, 6, type: "CGAffineTransform")
    self.init(
      a: numbers[0],
      b: numbers[1],
      c: numbers[2],
      d: numbers[3],
      tx: numbers[4],
      ty: numbers[5]
    )
  }
}
#endif
