import Foundation
import Nacre

extension Golden {
  /// Every way in which a property is sealed.
  @Entity final class Member {
    var label = ""
    @Encrypted(unique: true, normalizer: .casefold) var email = ""
    @Encrypted(searchable: true) var plate: String?
    @Encrypted(searchable: true, bits: 12, normalizer: .nfc) var town = ""
    @Encrypted(searchable: true, bits: 32, normalizer: .digits) var phone: String?
    @Encrypted(searchable: true) var year = 0
    @Encrypted(searchable: true, acceptsLeakage: true) var isActive = false
    @Encrypted(searchable: true, hidesNil: true, padding: .bucketed) var note: String?
    @Encrypted(padding: .padme) var letter = ""
    @Encrypted(suite: .aes256GCM) var code = Data()
  }
}

extension GoldenStore {
  static let passphrase = "golden passphrase"

  /// Stores two members, gives the store another secret, rotates its keys, and destroys what was rotated out.
  static func storeMembers(in store: Store) throws {
    try store.write { _ in for member in [ada(), bob()] { try member.save() } }
    try store.addSlot(.passphrase(passphrase))
    let before = try store.rotate()
    for id in before.disabled.prefix(1) { try store.destroyKey(id) }
  }

  private static func ada() -> Golden.Member {
    let member = Golden.Member.create(objectID: Golden.identifier(21))
    member.label = "ada"
    member.email = "Ada.Straße@example.org"
    member.plate = "AB-123-C"
    member.town = "Me\u{301}rida"
    member.phone = "+44 (20) 7946-0958"
    member.year = 1815
    member.isActive = true
    member.note = "first"
    member.letter = String(repeating: "Dear Charles, ", count: 20)
    member.code = Data(0...255)
    return member
  }

  private static func bob() -> Golden.Member {
    let member = Golden.Member.create(objectID: Golden.identifier(22))
    member.label = "bob"
    member.email = "bob@example.org"
    return member
  }
}
