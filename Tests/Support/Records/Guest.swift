import Foundation
import NacreCore
import NacreRecords

/// A record with the properties of a ``Pupil``, under a key that the database makes.
struct Guest: Record {
  var id: Int64?
  var name = ""
  var age = 0
  var score: Double?
  var city: String?
  var bonus: Int?
  var secret = ""
  var pass: String?

  init() {}

  static let columns: [RecordColumn<Guest>] = [
    .key(\.id), .column(\.name), .column(\.age), .column(\.score), .column(\.city),
    .column(\.bonus), .column(\.secret, sealed: SealedOptions()),
    .column(\.pass, sealed: SealedOptions(isSearchable: true)),
  ]
}

/// A record under a key of two columns, with nothing sealed.
struct Seat: Record, Equatable {
  var hall = ""
  var number: Int64 = 0
  var price = Decimal(0)
  var level: Int8? = 0

  init() {}

  init(_ hall: String, _ number: Int64, price: Decimal = 0) {
    (self.hall, self.number, self.price) = (hall, number, price)
  }

  static let columns: [RecordColumn<Seat>] = [
    .key(\.hall), .key(\.number), .column(\.price), .column(\.level, default: 7),
  ]
}

/// The same twenty rows as objects and as records.
struct Guests {
  let school: School
  let guests: Table<Guest>
  let seats: Table<Seat>

  init() throws {
    school = try School()
    guests = Table<Guest>().in(school.store)
    seats = Table<Seat>().in(school.store)
    try guests.insert(
      contentsOf: school.pupils.map { pupil in
        var guest = Guest()
        (guest.name, guest.age, guest.score) = (pupil.name, pupil.age, pupil.score)
        (guest.city, guest.bonus) = (pupil.city, pupil.bonus)
        (guest.secret, guest.pass) = (pupil.secret, pupil.pass)
        return guest
      }
    )
    for number in 0..<6 {
      try seats.insert(
        contentsOf: ["A", "B"].map { Seat($0, Int64(number), price: Decimal(number)) }
      )
    }
  }
}
