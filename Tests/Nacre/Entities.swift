import Foundation
import Nacre

@Entity final class Car {
  var name = ""
  var color: String?
  var power = 0
  @Encrypted var vin: String?
  var engine: Engine?
  var wheels: [Wheel] = []
  @Relationship(removed: .delete) var stickers: [Sticker] = []
  var owner: Link<Person>?
  var drivers = Links<Person>()
  @Transient var scratch = 0
}

@Entity final class Engine {
  var cylinders = 0
  @Relationship(removed: .delete) var label: Sticker?
}

@Entity final class Wheel {
  var size = 0
}

@Entity final class Sticker {
  var text = ""
}

@Entity(objectID: .v4) final class Person {
  var name = ""
  @Encrypted var email = ""
}

/// Owns objects of its own kind, in lists and chains.
@Entity final class Node {
  var title = ""
  var next: Node?
  var children: [Node] = []
  var friend: Link<Node>?
}

/// Rooms know their house; the house stores nothing of them.
@Entity final class House {
  var address = ""
  @Relationship(inverse: \Room.house) var rooms: [Room] = []
  @Relationship(inverse: \Visit.house) var visits = Links<Visit>()
}

@Entity final class Room {
  var name = ""
  var house: Link<House>?
}

@Entity final class Visit {
  var day = 0
  var house: Link<House>?
}

@Entity final class Account {
  @Column("account_number", unique: true) var number = 0
  @Column(indexed: true, default: "open") var state = "open"
  @Relationship(delete: .deny) var bookings: [Booking] = []
  @Relationship(delete: .keep) var notes: [Sticker] = []
}

@Entity final class Booking {
  var amount = Decimal(0)
}
