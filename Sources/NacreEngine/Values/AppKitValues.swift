#if canImport(AppKit) && !canImport(UIKit)
public import AppKit

extension PNGImage {
  /// Takes an image as a PNG.
  ///
  /// - Throws: ``ValueError/malformed(type:)`` for an image without pixels.
  public init(_ image: NSImage) throws {
    guard let tiff = image.tiffRepresentation, let bitmap = NSBitmapImageRep(data: tiff),
      let data = bitmap.representation(using: .png, properties: [:])
    else { throw ValueError.malformed(type: "NSImage") }
    try self.init(data)
  }

  /// The image, or nil if AppKit can't decode the file.
  public var image: NSImage? { NSImage(data: data) }
}

extension ARGBColor {
  /// Takes a colour in sRGB with 8 bits a channel.
  ///
  /// - Throws: ``ValueError/malformed(type:)`` for a colour that can't be converted to sRGB, such as a pattern.
  public init(_ color: NSColor) throws {
    guard let color = color.usingColorSpace(.sRGB) else {
      throw ValueError.malformed(type: "NSColor")
    }
    self.init(
      alpha: Self.channel(Double(color.alphaComponent)),
      red: Self.channel(Double(color.redComponent)),
      green: Self.channel(Double(color.greenComponent)),
      blue: Self.channel(Double(color.blueComponent))
    )
  }

  /// The colour.
  public var color: NSColor {
    let parts = parts
    return NSColor(
      srgbRed: CGFloat(parts.red),
      green: CGFloat(parts.green),
      blue: CGFloat(parts.blue),
      alpha: CGFloat(parts.alpha)
    )
  }
}
#endif
