import Foundation
import NacreCore
@testable import TestSupport

/// Numbers, texts, bytes and what else every platform has.
enum Scalars {
  enum OfInt: Filling {
    static let storedAs = "integer"
    static let samples: [Int] = [0, -1, .min, .max]
  }
  enum OfInt8: Filling {
    static let storedAs = "integer"
    static let samples: [Int8] = [0, -1, .min, .max]
  }
  enum OfInt16: Filling {
    static let storedAs = "integer"
    static let samples: [Int16] = [0, -1, .min, .max]
  }
  enum OfInt32: Filling {
    static let storedAs = "integer"
    static let samples: [Int32] = [0, -1, .min, .max]
  }
  enum OfInt64: Filling {
    static let storedAs = "integer"
    static let samples: [Int64] = [0, -1, .min, .max, 1_732_183_456_789]
  }
  enum OfUInt: Filling {
    static let storedAs = "integer"
    static let samples: [UInt] = [0, 1, UInt(Int.max)]
  }
  enum OfUInt8: Filling {
    static let storedAs = "integer"
    static let samples: [UInt8] = [0, 1, .max]
  }
  enum OfUInt16: Filling {
    static let storedAs = "integer"
    static let samples: [UInt16] = [0, 1, .max]
  }
  enum OfUInt32: Filling {
    static let storedAs = "integer"
    static let samples: [UInt32] = [0, 1, .max]
  }
  enum OfUInt64: Filling {
    static let storedAs = "integer"
    static let samples: [UInt64] = [0, 1, UInt64(Int64.max)]
  }
  enum OfBool: Filling {
    static let storedAs = "integer"
    static let samples = [false, true]
  }
  enum OfFloat: Filling {
    static let storedAs = "real"
    static let samples: [Float] = [
      0, 1, 0.1, -1.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
    ]
  }
  enum OfDouble: Filling {
    static let storedAs = "real"
    static let samples = [
      0, 1, 0.1 + 0.2, 3.5, -.greatestFiniteMagnitude, .greatestFiniteMagnitude,
      .leastNonzeroMagnitude, -.infinity,
    ]
  }
  enum OfCGFloat: Filling {
    static let storedAs = "real"
    static let samples: [CGFloat] = [0, 0.1, -1.5, 16_777_217]
  }
  enum OfString: Filling {
    static let storedAs = "text"
    static let samples = ["", "plain", "\0a\0", "👩🏽‍🚀🇪🇺", "it's \"quoted\"; --", "12", "NULL", "语文"]
  }
  enum OfData: Filling {
    static let storedAs = "blob"
    static let samples = [Data(), Data([0]), Data(0...255), Data("12".utf8)]
  }
  enum OfDate: Filling {
    static let storedAs = "real"
    static let samples = [
      Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1_732_183_456.125),
      Date(timeIntervalSince1970: -0.5), .distantPast, .distantFuture,
    ]
  }
  enum OfDecimal: Filling {
    static let storedAs = "text"
    static let samples =
      [0, -1, .greatestFiniteMagnitude]
      + ["3467374639467936.3746374639", "12345678901234567890123456789012345678", "0.1"]
      .compactMap { Decimal(string: $0) }
  }
  enum OfURL: Filling {
    static let storedAs = "text"
    static let samples = [
      "https://example.org:8443/a%20b/?q=1#frag", "mailto:a@b.c", "relative/path", "file:///a/b",
    ].compactMap { URL(string: $0) }
  }
  enum OfUUID: Filling {
    static let storedAs = "blob"
    static let samples = [
      UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
      UUID(uuid: (255, 254, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    ]
  }
  enum OfRealDate: Filling {
    static let storedAs = "real"
    static let samples = [0, 1_732_183_456.5, -1, -62_135_596_800]
      .map { RealDate(Date(timeIntervalSince1970: $0)) }
  }
  enum OfIntegerDate: Filling {
    static let storedAs = "integer"
    static let samples = [0, 1_732_183_456, -1, -62_135_596_800]
      .map { IntegerDate(Date(timeIntervalSince1970: $0)) }
  }
  enum OfISO8601Date: Filling {
    static let storedAs = "text"
    static let samples = [0, 1_732_183_456.123, -0.001, -62_167_219_200, 253_402_300_799.999]
      .map { ISO8601Date(Date(timeIntervalSince1970: $0)) }
  }
}

/// Places, ranges, names, pictures, colours and JSON.
enum Compounds {
  enum OfCGPoint: Filling {
    static let storedAs = "text"
    static let samples = [
      CGPoint(x: 0, y: 0), CGPoint(x: 0.1 + 0.2, y: -1e300),
      CGPoint(x: CGFloat.leastNonzeroMagnitude, y: 1e16),
    ]
  }
  enum OfCGSize: Filling {
    static let storedAs = "text"
    static let samples = [CGSize(width: 0, height: 0), CGSize(width: -1.5, height: 1 / 3)]
  }
  enum OfCGRect: Filling {
    static let storedAs = "text"
    static let samples = [
      CGRect(x: 1, y: 2, width: 3, height: 4),
      CGRect(x: 0.1, y: -0.2, width: 1e-7, height: 1e21),
      .null, .infinite, .zero, CGRect(x: 5, y: 5, width: -5, height: -5),
    ]
  }
  enum OfAffineTransform: Filling {
    static let storedAs = "text"
    static let samples = [
      AffineTransform.identity,
      AffineTransform(m11: 1.5, m12: -2, m21: 0.1, m22: 4, tX: 1e-9, tY: 6),
    ]
  }
  enum OfNSRange: Filling {
    static let storedAs = "text"
    static let samples = [
      NSRange(location: 0, length: 0), NSRange(location: NSNotFound, length: 0),
      NSRange(location: -7, length: .max),
    ]
  }
  enum OfRange: Filling {
    static let storedAs = "text"
    static let samples: [Range<Int>] = [0..<0, -3..<5, .min ..< -1, 7 ..< .max]
  }
  enum OfClosedRange: Filling {
    static let storedAs = "text"
    static let samples: [ClosedRange<Int>] = [0...0, -3...5, .min ... -2, 1 ... .max]
  }
  enum OfTypeName: Filling {
    static let storedAs = "text"
    static let samples = [TypeName(Car.self), TypeName(URL.self), TypeName([Int].self)]
  }
  enum OfPNGImage: Filling {
    static let storedAs = "blob"
    static let samples = [Picture.small, Picture.large].compactMap { try? PNGImage($0) }
  }
  enum OfARGBColor: Filling {
    static let storedAs = "integer"
    static let samples = [
      ARGBColor(red: 1, green: 2, blue: 3), ARGBColor(alpha: 0, red: 0, green: 0, blue: 0),
      ARGBColor(alpha: 255, red: 255, green: 255, blue: 255),
    ]
  }
  enum OfJSONValue: Filling {
    static let storedAs = "text"
    static let samples: [JSONValue] = [
      .null, true, 0, .integer(.max), .integer(.min), 0.1, .number(1e300), "", "a\0/\"👩🏽‍🚀",
      [], [:], [1, 2.5, .null, ["a": [false, "b"]]], ["": .null, "ключ": [[:]]],
    ]
  }
}

/// Two pictures that another program made.
enum Picture {
  /// 1 by 1 pixel.
  static let small = bytes(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNg0AgAAACkAHkh45uyAAAAAElFTkSuQmCC"
  )
  /// 3 by 2 pixels.
  static let large = bytes(
    """
    iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAFUlEQVR42mNg0AioWHDig4QDA5wFAEPUB0H9V+gCAAAA\
    AElFTkSuQmCC
    """
  )

  private static func bytes(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}
