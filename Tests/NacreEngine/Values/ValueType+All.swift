#if canImport(CoreGraphics)
import CoreGraphics
#endif
#if canImport(UIKit)
import UIKit
#endif

// Every type that the platform has.
extension ValueType {
  static let all = scalars + compounds + applesOwn + ofScreens

  private static let scalars: [ValueType] = [
    ValueType(Scalars.OfInt.self),
    ValueType(Scalars.OfInt8.self),
    ValueType(Scalars.OfInt16.self),
    ValueType(Scalars.OfInt32.self),
    ValueType(Scalars.OfInt64.self),
    ValueType(Scalars.OfUInt.self),
    ValueType(Scalars.OfUInt8.self),
    ValueType(Scalars.OfUInt16.self),
    ValueType(Scalars.OfUInt32.self),
    ValueType(Scalars.OfUInt64.self),
    ValueType(Scalars.OfBool.self),
    ValueType(Scalars.OfFloat.self),
    ValueType(Scalars.OfDouble.self),
    ValueType(Scalars.OfCGFloat.self),
    ValueType(Scalars.OfString.self),
    ValueType(Scalars.OfData.self),
    ValueType(Scalars.OfDate.self),
    ValueType(Scalars.OfDecimal.self),
    ValueType(Scalars.OfURL.self),
    ValueType(Scalars.OfUUID.self),
    ValueType(Scalars.OfRealDate.self),
    ValueType(Scalars.OfIntegerDate.self),
    ValueType(Scalars.OfISO8601Date.self),
  ]

  private static let compounds: [ValueType] = [
    ValueType(Compounds.OfCGPoint.self),
    ValueType(Compounds.OfCGSize.self),
    ValueType(Compounds.OfCGRect.self),
    ValueType(Compounds.OfAffineTransform.self),
    ValueType(Compounds.OfNSRange.self),
    ValueType(Compounds.OfRange.self),
    ValueType(Compounds.OfClosedRange.self),
    ValueType(Compounds.OfTypeName.self),
    ValueType(Compounds.OfPNGImage.self),
    ValueType(Compounds.OfARGBColor.self),
    ValueType(Compounds.OfJSONValue.self),
  ]

  #if canImport(CoreGraphics)
  private enum OfCGVector: Filling {
    static let storedAs = "text"
    static let samples = [CGVector(dx: 0, dy: 0), CGVector(dx: 0.1, dy: -1e300)]
  }

  private enum OfCGAffineTransform: Filling {
    static let storedAs = "text"
    static let samples = [
      CGAffineTransform.identity, CGAffineTransform(a: 1.5, b: -2, c: 0.1, d: 4, tx: 1e-9, ty: 6),
    ]
  }

  private static let applesOwn = [
    ValueType(OfCGVector.self), ValueType(OfCGAffineTransform.self),
  ]
  #else
  private static let applesOwn: [ValueType] = []
  #endif

  #if canImport(UIKit)
  private enum OfUIEdgeInsets: Filling {
    static let storedAs = "text"
    static let samples = [
      UIEdgeInsets.zero, UIEdgeInsets(top: 1, left: 2.5, bottom: 3, right: -4),
    ]
  }

  private enum OfUIOffset: Filling {
    static let storedAs = "text"
    static let samples = [UIOffset.zero, UIOffset(horizontal: 0.1, vertical: -2)]
  }

  private static let ofScreens = [ValueType(OfUIEdgeInsets.self), ValueType(OfUIOffset.self)]
  #else
  private static let ofScreens: [ValueType] = []
  #endif
}
