import Foundation
import Nacre

/// A row of many types, to be asked for.
@Entity final class Sale {
  var number = 0
  var day = Date(timeIntervalSince1970: 0)
  var amount: Decimal = 0
  var token = UUID()
  var fuel = Fuel.petrol
  var gear: Gear?
  var note: String?
  var place: Position?
  var isPaid = false
  @Encrypted var buyer = ""
  @Encrypted var tip: Int?
  @Encrypted var photo: Data?

  /// Sales 0 to 24, of which every fifth has a note, every third a gear, and the odd ones diesel.
  static func store(in store: Store) throws -> [Sale] {
    let sales = (0..<25).map { number in
      let sale = Sale.create()
      sale.number = number
      sale.day = Date(timeIntervalSince1970: 86_400 * Double(number) + 0.5)
      sale.amount = Decimal(number) + Decimal(sign: .plus, exponent: -2, significand: 25)
      sale.fuel = number.isMultiple(of: 2) ? .petrol : .diesel
      sale.gear = number.isMultiple(of: 3) ? .second : nil
      sale.note = number.isMultiple(of: 5) ? "note \(number)" : nil
      sale.place = number == 7 ? Position(x: 1.5, y: 2) : nil
      sale.isPaid = number < 10
      sale.buyer = "buyer \(number)"
      sale.tip = number.isMultiple(of: 4) ? number : nil
      sale.photo = number == 0 ? Data() : nil
      return sale
    }
    try store.write { _ in for sale in sales { try sale.save() } }
    return sales
  }
}
