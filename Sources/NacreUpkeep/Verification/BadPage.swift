import NacreEngine

/// A page of a sealed file that does not open: its number and its fault.
public struct BadPage: Sendable, Codable, Hashable {
  /// The page's number, from 1; for a frame of the log, the number that its header says.
  public let number: UInt32
  /// The frame of the log that holds the page, from 1; nil for a page of the file itself.
  public let frame: UInt32?
  /// Why it does not open.
  public let fault: Fault

  /// Why a page does not open; later versions may find more, so a `switch` needs a `default`.
  public enum Fault: String, Sendable, Codable, CaseIterable {
    /// Somebody has changed it, or has moved it from another place.
    case changed
    /// It names a key that the header does not have, or that was disabled or destroyed.
    case unknownKey
    /// The file ends before it, or within it.
    case missing
    /// The system can't read it.
    case unreadable
  }

  init(_ page: PageFault) {
    number = page.number
    frame = page.frame
    fault =
      switch page.kind {
      case .notAuthentic: .changed
      case .unknownKey: .unknownKey
      case .missing: .missing
      case .unreadable: .unreadable
      }
  }
}

extension BadPage: CustomStringConvertible {
  /// The place and the fault.
  public var description: String {
    let place = frame.map { "frame \($0) of the log" } ?? "page \(number) of the file"
    let words =
      switch fault {
      case .changed: "was changed or moved"
      case .unknownKey: "names a key that the header lacks, or that opens no longer"
      case .missing: "is not there, or only a part of it"
      case .unreadable: "can't be read"
      }
    return "\(place) \(words)"
  }
}
