/// A colour of 8 bits a channel, stored as the INTEGER (alpha << 24) + (red << 16) + (green << 8) + blue.
public struct ARGBColor: StorableValue, Hashable, Sendable {
  /// 0 is transparent, 255 opaque.
  public var alpha: UInt8
  /// The red part in sRGB, not multiplied by alpha.
  public var red: UInt8
  /// The green part in sRGB, not multiplied by alpha.
  public var green: UInt8
  /// The blue part in sRGB, not multiplied by alpha.
  public var blue: UInt8

  /// Makes a colour, opaque unless `alpha` says otherwise.
  public init(alpha: UInt8 = 255, red: UInt8, green: UInt8, blue: UInt8) {
    (self.alpha, self.red, self.green, self.blue) = (alpha, red, green, blue)
  }

  /// INTEGER.
  public static var storageClass: StorageClass { .integer }

  /// The four channels in one number from 0 to 0xFFFFFFFF.
  public var storedValue: Value {
    .integer(Int64(alpha) << 24 + Int64(red) << 16 + Int64(green) << 8 + Int64(blue))
  }

  /// Makes the colour from its number.
  ///
  /// - Throws: ``ValueError`` when the value is not an INTEGER from 0 to 0xFFFFFFFF.
  public init(storedValue: Value) throws {
    guard let number = UInt32(exactly: try Int64(storedValue: storedValue)) else {
      throw ValueError.outOfRange(type: "ARGBColor")
    }
    func channel(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
    self.init(alpha: channel(24), red: channel(16), green: channel(8), blue: channel(0))
  }
}

#if canImport(UIKit) || canImport(AppKit)
extension ARGBColor {
  /// Converts a channel from 0...1 to 8 bits and clamps values outside of that range, as colours wider than sRGB
  /// have.
  static func channel(_ part: Double) -> UInt8 {
    UInt8(exactly: (min(max(part, 0), 1) * 255).rounded()) ?? 0
  }

  /// The channels, each from 0 to 1.
  var parts: (alpha: Double, red: Double, green: Double, blue: Double) {
    (Double(alpha) / 255, Double(red) / 255, Double(green) / 255, Double(blue) / 255)
  }
}
#endif
