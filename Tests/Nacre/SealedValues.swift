import Foundation
import Nacre

/// `AllValues`, sealed.
@Entity final class SealedValues {
  @Encrypted var bool: Bool = false
  @Encrypted var int: Int = 0
  @Encrypted var int8: Int8 = 0
  @Encrypted var int16: Int16 = 0
  @Encrypted var int32: Int32 = 0
  @Encrypted var int64: Int64 = 0
  @Encrypted var uint: UInt = 0
  @Encrypted var uint8: UInt8 = 0
  @Encrypted var uint16: UInt16 = 0
  @Encrypted var uint32: UInt32 = 0
  @Encrypted var uint64: UInt64 = 0
  @Encrypted var float: Float = 0
  @Encrypted var double: Double = 0
  @Encrypted var string: String = ""
  @Encrypted var data: Data = Data()
  @Encrypted var date: Date = Date()
  @Encrypted var uuid: UUID = UUID()
  @Encrypted var url: URL = URL(filePath: "/")
  @Encrypted var decimal: Decimal = 0
  @Encrypted var fuel: Fuel = .petrol
  @Encrypted var gear: Gear = .first
  @Encrypted var trim: Trim = .base
  @Encrypted var position: Position = Position()
  @Encrypted var price: Money = Money()
  @Encrypted var strings: [String] = []
  @Encrypted var numbers: [String: Int] = [:]
}

/// `AllOptionals`, sealed.
@Entity final class SealedOptionals {
  @Encrypted var bool: Bool?
  @Encrypted var int: Int?
  @Encrypted var int8: Int8?
  @Encrypted var int16: Int16?
  @Encrypted var int32: Int32?
  @Encrypted var int64: Int64?
  @Encrypted var uint: UInt?
  @Encrypted var uint8: UInt8?
  @Encrypted var uint16: UInt16?
  @Encrypted var uint32: UInt32?
  @Encrypted var uint64: UInt64?
  @Encrypted var float: Float?
  @Encrypted var double: Double?
  @Encrypted var string: String?
  @Encrypted var data: Data?
  @Encrypted var date: Date?
  @Encrypted var uuid: UUID?
  @Encrypted var url: URL?
  @Encrypted var decimal: Decimal?
  @Encrypted var fuel: Fuel?
  @Encrypted var gear: Gear?
  @Encrypted var trim: Trim?
  @Encrypted var position: Position?
  @Encrypted var price: Money?
  @Encrypted var strings: [String]?
  @Encrypted var numbers: [String: Int]?
}

/// Properties that take any storage class.
@Entity final class Anything {
  var plain = Value.null
  var optional: Value?
  @Encrypted var sealed = Value.null
}
