import Foundation
import NacreCore
import Testing
@testable import TestSupport

/// The texts and numbers of the compound types, as a reader of the file without Nacre sees them.
@Suite struct StoredTextTests {
  @Test func `geometry is text in braces with as few digits as give it back`() throws {
    #expect(try CGPoint(x: 1, y: -2.5).storedValue == "{1, -2.5}")
    #expect(
      try CGSize(width: 0.1 + 0.2, height: 1e20).storedValue == "{0.30000000000000004, 1e+20}"
    )
    let rect = CGRect(x: 1, y: 2, width: 3, height: 4.25)
    #expect(try rect.storedValue == "{{1, 2}, {3, 4.25}}")
    #expect(try CGRect.null.storedValue == "{{inf, inf}, {0, 0}}")
    let transform = AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6)
    #expect(try transform.storedValue == "{1, 2, 3, 4, 5, 6}")
    #expect(try CGPoint(x: -0.0, y: 0).storedValue == "{-0, 0}")
    #expect(try CGPoint(storedValue: "{-0, 0}").x.sign == .minus)
    #expect(try CGSize(storedValue: "{1.5, 2}") == CGSize(width: 1.5, height: 2))
    #expect(try CGRect(storedValue: rect.storedValue) == rect)
    #expect(try AffineTransform(storedValue: transform.storedValue) == transform)
  }

  @Test func `ranges are their location and length`() throws {
    #expect(try NSRange(location: 3, length: 4).storedValue == "{3, 4}")
    #expect(try (3..<7).storedValue == "{3, 4}")
    #expect(try (3...6).storedValue == "{3, 4}")
    #expect(try Range<Int>(storedValue: "{-1, 0}") == -1 ..< -1)
    #expect(try NSRange(storedValue: "{3, 4}") == NSRange(location: 3, length: 4))
  }

  @Test func `blanks between numbers do not matter`() throws {
    #expect(try CGPoint(storedValue: "{1,2}") == CGPoint(x: 1, y: 2))
    let rect = try CGRect(storedValue: " { {1,2} ,{ 3,  4}}")
    #expect(rect == CGRect(x: 1, y: 2, width: 3, height: 4))
  }

  @Test(arguments: [
    "", "1, 2", "{1, 2", "{1, 2}}", "{1}", "{1, 2, 3}", "{1, }", "{, 2}", "{1 2, 3}", "{nan, 1}",
    "{1, 0x10}", "{1, 1e999}", "{infinity, 1}", "{{1, 2}}", "{1, 2} ", "{a, b}", "{1; 2}",
  ])
  func `a text that is no point is malformed`(_ text: String) {
    #expect(throws: ValueError.malformed(type: "CGPoint")) {
      _ = try CGPoint(storedValue: .text(text))
    }
    #expect(throws: ValueError.malformed(type: "CGSize")) {
      _ = try CGSize(storedValue: .text(text))
    }
  }

  @Test(arguments: ["{1, 2, 3, 4}", "{{1, 2}, {3, 4}", "{{1, 2} {3, 4}}", "{{1, 2}, {3}}", "{}"])
  func `a text that is no rectangle is malformed`(_ text: String) {
    #expect(throws: ValueError.malformed(type: "CGRect")) {
      _ = try CGRect(storedValue: .text(text))
    }
    #expect(throws: ValueError.malformed(type: "AffineTransform")) {
      _ = try AffineTransform(storedValue: .text(text))
    }
  }

  @Test func `a range that is none, or ends beyond Int's, is refused`() {
    for text in ["{1, -1}", "{1.5, 2}", "{1, 2, 3}", "1..<3", "{a, 1}"] {
      #expect(throws: ValueError.malformed(type: "Range<Int>")) {
        _ = try Range<Int>(storedValue: .text(text))
      }
      #expect(throws: ValueError.malformed(type: "NSRange")) {
        _ = try NSRange(storedValue: .text(text))
      }
    }
    #expect(throws: ValueError.malformed(type: "ClosedRange<Int>")) {
      _ = try ClosedRange<Int>(storedValue: "{1, 0}")
    }
    #expect(throws: ValueError.outOfRange(type: "Range<Int>")) {
      _ = try Range<Int>(storedValue: "{9223372036854775807, 1}")
    }
    #expect(throws: ValueError.outOfRange(type: "ClosedRange<Int>")) {
      _ = try ClosedRange<Int>(storedValue: "{9223372036854775807, 2}")
    }
    #expect(throws: ValueError.outOfRange(type: "Range<Int>")) {
      _ = try (Int.min..<Int.max).storedValue
    }
    #expect(throws: ValueError.outOfRange(type: "ClosedRange<Int>")) {
      _ = try (0...Int.max).storedValue
    }
    #expect(throws: ValueError.outOfRange(type: "NSRange")) {
      _ = try NSRange(location: 0, length: -1).storedValue
    }
  }

  @Test func `geometry that is no number is refused`() {
    #expect(throws: ValueError.outOfRange(type: "CGPoint")) {
      _ = try CGPoint(x: CGFloat.nan, y: 0).storedValue
    }
    #expect(throws: ValueError.outOfRange(type: "CGRect")) {
      _ = try CGRect(x: 0, y: 0, width: 0, height: CGFloat.nan).storedValue
    }
  }

  // MARK: - Colours and images

  @Test func `a colour is the integer of alpha, red, green and blue`() throws {
    let color = ARGBColor(alpha: 0x80, red: 0xFF, green: 0x01, blue: 0x02)
    #expect(color.storedValue == 0x80FF_0102)
    #expect(ARGBColor(red: 1, green: 2, blue: 3).alpha == 255)
    for number: Int64 in [-1, 0x1_0000_0000] {
      #expect(throws: ValueError.outOfRange(type: "ARGBColor")) {
        _ = try ARGBColor(storedValue: .integer(number))
      }
    }
  }

  @Test func `an image knows its size, and bytes that are no PNG are refused`() throws {
    let image = try PNGImage(Picture.large)
    #expect(image.width == 3 && image.height == 2)
    // A slice, whose indices do not begin at 0.
    #expect(try PNGImage((Data([0]) + Picture.small).dropFirst()).width == 1)
    var broken = [Data(), Data("GIF89a".utf8), Picture.small.prefix(32)]
    // A byte of the signature, of the chunk's name, of the width and of its check sum.
    for index in [0, 14, 19, 30] {
      var bytes = Picture.small
      bytes[index] ^= 1
      broken.append(bytes)
    }
    for bytes in broken {
      #expect(throws: ValueError.malformed(type: "PNGImage")) { _ = try PNGImage(bytes) }
    }
  }

  // MARK: - Names of types

  private struct Hidden {}

  @Test func `a type is found by its stored name`() throws {
    #expect(TypeName(Car.self).storedValue == "TestSupport.Car")
    #expect(TypeName(URL.self).storedValue == "Foundation.URL")
    func type(_ name: String) throws -> Any.Type? {
      try TypeName(storedValue: .text(name)).type
    }
    #expect(try type("TestSupport.Car") == Car.self)
    #expect(try type("NacreEngineTests.StoredTextTests") == StoredTextTests.self)
    #expect(try type("NacreEngineTests.Compounds.OfCGPoint") == Compounds.OfCGPoint.self)
    #expect(try type("Swift.Int") == Int.self && type("Swift.Optional") == nil)
    #expect(try type("Foundation.URL") == URL.self)
    #expect(try type("Foundation.CGRect") == CGRect.self)
  }

  @Test(arguments: [
    "Car", "NacreEngineTests", "NacreEngineTests.Nonesuch", "NacreEngineTests.", ".Car", "a b.C",
    "Swift.Array<Swift.Int>", "1.2", "ß.ü", "A.B.C.D.E.F", "NacreEngineTests.3CarC",
  ])
  func `a name that this program has no type for gives none`(_ name: String) throws {
    #expect(try TypeName(storedValue: .text(name)).type == nil)
    #expect(TypeName(Hidden.self).type == nil)
  }

  @Test func `an empty name is malformed`() {
    #expect(throws: ValueError.malformed(type: "TypeName")) { _ = try TypeName(storedValue: "") }
  }
}
