import Foundation
import NacreCrypto
import NacreEngine

extension FileSlot {
  /// Makes a header's slot of one of any place; returns nil for one that no header can hold.
  init?(_ slot: KeptSlot) {
    guard let id = UInt32(exactly: slot.id), case .text(let kind) = slot.kind,
      case .text(let parameters) = slot.parameters, case .blob(let sealed) = slot.sealed
    else { return nil }
    self.init(id: id, kind: kind, parameters: parameters, sealed: Array(sealed))
  }
}

extension KeptSlot {
  /// Makes a slot of one in a header.
  init(_ slot: FileSlot) {
    self.init(
      id: Int64(slot.id),
      kind: .text(slot.kind),
      parameters: .text(slot.parameters),
      sealed: .blob(Data(slot.sealed))
    )
  }
}
