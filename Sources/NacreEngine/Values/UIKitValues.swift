#if canImport(UIKit)
public import UIKit

extension PNGImage {
  /// Takes an image as a PNG.
  ///
  /// - Throws: ``ValueError/malformed(type:)`` for an image without pixels.
  public init(_ image: UIImage) throws {
    guard let data = image.pngData() else { throw ValueError.malformed(type: "UIImage") }
    try self.init(data)
  }

  /// The image, or nil if UIKit can't decode the file.
  public var image: UIImage? { UIImage(data: data) }
}

extension ARGBColor {
  /// Takes a colour in sRGB with 8 bits a channel.
  ///
  /// - Throws: ``ValueError/malformed(type:)`` for a colour that can't be converted to RGB, such as a pattern.
  public init(_ color: UIColor) throws {
    var (red, green, blue, alpha) = (CGFloat(0), CGFloat(0), CGFloat(0), CGFloat(0))
    guard color.getRed(&red, green: &green, blue: &blue, alpha: &alpha) else {
      throw ValueError.malformed(type: "UIColor")
    }
    self.init(
      alpha: Self.channel(Double(alpha)),
      red: Self.channel(Double(red)),
      green: Self.channel(Double(green)),
      blue: Self.channel(Double(blue))
    )
  }

  /// The colour.
  public var color: UIColor {
    let parts = parts
    return UIColor(
      red: CGFloat(parts.red),
      green: CGFloat(parts.green),
      blue: CGFloat(parts.blue),
      alpha: CGFloat(parts.alpha)
    )
  }
}

extension UIEdgeInsets: StorableValue {
  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// `{top, left, bottom, right}`.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value {
    get throws { .text(try BraceText.text(top, left, bottom, right, type: "UIEdgeInsets")) }
  }

  /// Makes the insets from `{top, left, bottom, right}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  public init(storedValue: Value) throws {
    let numbers = try BraceText.numbers(storedValue, 4, type: "UIEdgeInsets")
    self.init(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
  }
}

extension UIOffset: StorableValue {
  /// TEXT.
  public static var storageClass: StorageClass { .text }

  /// `{horizontal, vertical}`.
  ///
  /// - Throws: ``ValueError/outOfRange(type:)`` for a NaN.
  public var storedValue: Value {
    get throws { .text(try BraceText.text(horizontal, vertical, type: "UIOffset")) }
  }

  /// Makes the offset from `{horizontal, vertical}`.
  ///
  /// - Throws: ``ValueError`` when the value is not a text of that form.
  public init(storedValue: Value) throws {
    let numbers = try BraceText.numbers(storedValue, 2, type: "UIOffset")
    self.init(horizontal: numbers[0], vertical: numbers[1])
  }
}
#endif
