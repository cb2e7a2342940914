#if Tool
import Foundation
import NacreStore
import NacreUpkeep

/// One stored object as lines of text.
struct RowReport {
  let row: InspectedRow
  let entity: EntityDescription

  /// How many bytes of a value are shown.
  private static let shownByteCount = 32

  var lines: [String] {
    var table = TextTable()
    for cell in row.cells { table.add(cell.property.name.visible, text(cell)) }
    let place = row.rowID.map { "row \($0)" } ?? row.objectID.uuidString
    return ["", "\(entity.name.visible) \(place)"] + table.lines(indent: 2)
  }

  /// The errors of the object's sealed values that could not be opened.
  var failures: [NacreError] {
    row.cells.compactMap { if case .failed(_, let error) = $0.content { error } else { nil } }
  }

  private func text(_ cell: InspectedRow.Cell) -> String {
    switch cell.content {
    case .plain(let value), .opened(let value): text(value, kind: cell.property.kind)
    case .sealed(let sealed): text(sealed, sealed.header == nil ? "notAnEnvelope" : "sealed")
    case .failed(let sealed, let error): text(sealed, error.code.description)
    }
  }

  private func text(_ sealed: SealedDescription, _ state: String) -> String {
    let header = sealed.header.map { "\($0.suite.name) \($0.keyID) " } ?? ""
    return "‹\(state)› \(header)\(sealed.byteCount.counted("byte"))"
  }

  private func text(_ value: Value, kind: String) -> String {
    switch value {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value.quoted
    case .blob(let value): kind == "value" ? hex(value) : uuid(value) ?? hex(value)
    }
  }

  /// A reference is the objectID of its target.
  private func uuid(_ bytes: Data) -> String? {
    guard bytes.count == 16 else { return nil }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
  }

  private func hex(_ bytes: Data) -> String {
    let rest = bytes.count > Self.shownByteCount ? "… \(bytes.count) bytes" : ""
    return "x'" + bytes.prefix(Self.shownByteCount).hex + "'" + rest
  }
}
#endif
