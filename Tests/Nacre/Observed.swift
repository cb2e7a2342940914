import Foundation
import Nacre
import Synchronization

// Entities whose properties have observers, defaults with effects, and forms of dates.

/// Corrects what it is set to.
@Entity final class Dial {
  var volume = 0 { didSet { volume = min(volume, 10) } }
  var label = "" { willSet { announced.append(newValue) } }
  @Transient var announced: [String] = []
}

/// Saves itself whenever its text is set.
@Entity final class Draft {
  var text = "" { didSet { try? save() } }
}

/// What an entity may inherit.
class Chassis {
  var axles = 2
}

/// Sets properties before its superclass is ready.
@Entity final class Trailer: Chassis {
  var load = 1 { didSet { corrections += 1 } }
  var plate: String?
  @Transient var corrections = 0

  override init() {
    load = 2
    plate = "T-1"
    super.init()
  }
}

/// Counts its own default values.
@Entity final class Ticket {
  static let issued = Atomic(0)
  var number = Ticket.issued.add(1, ordering: .relaxed).newValue
}

@Entity(version: 3) final class Appointment {
  @Column(dates: .integer) var begin = Date(timeIntervalSince1970: 0)
  @Column(dates: .iso8601) var end: Date?
  @Column(dates: .integer) @Encrypted var reminder: Date?
  var made = Date(timeIntervalSince1970: 0)
}

/// An object whose initialiser assigns a property that is observed.
@Entity final class Gauge {
  var level = 0 { didSet { readings.append(level) } }
  @Transient var readings: [Int] = []

  init() { level = 7 }
}
