import Foundation
import Nacre

// Every property type with values that are hard to keep.
extension ValueSlot {
  static let all: [ValueSlot] = numbers + scalars + composites

  private static let numbers: [ValueSlot] = [
    ValueSlot(
      "bool",
      storedAs: "integer",
      [false, true],
      \.bool,
      \.bool,
      \.bool,
      \.bool
    ),
    ValueSlot(
      "int",
      storedAs: "integer",
      limits(Int.self),
      \.int,
      \.int,
      \.int,
      \.int
    ),
    ValueSlot(
      "int8",
      storedAs: "integer",
      limits(Int8.self),
      \.int8,
      \.int8,
      \.int8,
      \.int8
    ),
    ValueSlot(
      "int16",
      storedAs: "integer",
      limits(Int16.self),
      \.int16,
      \.int16,
      \.int16,
      \.int16
    ),
    ValueSlot(
      "int32",
      storedAs: "integer",
      limits(Int32.self),
      \.int32,
      \.int32,
      \.int32,
      \.int32
    ),
    ValueSlot(
      "int64",
      storedAs: "integer",
      limits(Int64.self),
      \.int64,
      \.int64,
      \.int64,
      \.int64
    ),
    ValueSlot(
      "uint",
      storedAs: "integer",
      limits(UInt.self),
      \.uint,
      \.uint,
      \.uint,
      \.uint
    ),
    ValueSlot(
      "uint8",
      storedAs: "integer",
      limits(UInt8.self),
      \.uint8,
      \.uint8,
      \.uint8,
      \.uint8
    ),
    ValueSlot(
      "uint16",
      storedAs: "integer",
      limits(UInt16.self),
      \.uint16,
      \.uint16,
      \.uint16,
      \.uint16
    ),
    ValueSlot(
      "uint32",
      storedAs: "integer",
      limits(UInt32.self),
      \.uint32,
      \.uint32,
      \.uint32,
      \.uint32
    ),
    ValueSlot(
      "uint64",
      storedAs: "integer",
      limits(UInt64.self),
      \.uint64,
      \.uint64,
      \.uint64,
      \.uint64
    ),
    ValueSlot(
      "float",
      storedAs: "real",
      floats,
      \.float,
      \.float,
      \.float,
      \.float
    ),
    ValueSlot(
      "double",
      storedAs: "real",
      doubles,
      \.double,
      \.double,
      \.double,
      \.double
    ),
    ValueSlot(
      "date",
      storedAs: "real",
      dates,
      \.date,
      \.date,
      \.date,
      \.date
    ),
  ]

  private static let scalars: [ValueSlot] = [
    ValueSlot(
      "string",
      storedAs: "text",
      texts,
      \.string,
      \.string,
      \.string,
      \.string
    ),
    ValueSlot(
      "data",
      storedAs: "blob",
      blobs,
      \.data,
      \.data,
      \.data,
      \.data
    ),
    ValueSlot(
      "uuid",
      storedAs: "blob",
      uuids,
      \.uuid,
      \.uuid,
      \.uuid,
      \.uuid
    ),
    ValueSlot(
      "url",
      storedAs: "text",
      urls,
      \.url,
      \.url,
      \.url,
      \.url
    ),
    ValueSlot(
      "decimal",
      storedAs: "text",
      decimals,
      \.decimal,
      \.decimal,
      \.decimal,
      \.decimal
    ),
  ]

  private static let composites: [ValueSlot] = [
    ValueSlot(
      "fuel",
      storedAs: "text",
      [Fuel.petrol, .diesel],
      \.fuel,
      \.fuel,
      \.fuel,
      \.fuel
    ),
    ValueSlot(
      "gear",
      storedAs: "integer",
      [Gear.first, .second],
      \.gear,
      \.gear,
      \.gear,
      \.gear
    ),
    ValueSlot(
      "trim",
      storedAs: "text",
      [Trim.base, .luxury],
      \.trim,
      \.trim,
      \.trim,
      \.trim
    ),
    ValueSlot(
      "position",
      storedAs: "text",
      positions,
      \.position,
      \.position,
      \.position,
      \.position
    ),
    ValueSlot(
      "price",
      storedAs: "integer",
      prices,
      \.price,
      \.price,
      \.price,
      \.price
    ),
    ValueSlot(
      "strings",
      storedAs: "text",
      stringLists,
      \.strings,
      \.strings,
      \.strings,
      \.strings
    ),
    ValueSlot(
      "numbers",
      storedAs: "text",
      numberTables,
      \.numbers,
      \.numbers,
      \.numbers,
      \.numbers
    ),
  ]
}
