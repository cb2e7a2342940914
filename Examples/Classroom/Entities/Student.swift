import Foundation
import Nacre

/// A student in the third release.
///
/// Version 2 added `year`. Version 3 calls `name` `fullName`, seals `phone`, and has no `nickname`
/// any more.
@Entity(version: 3) final class Student {
  @Column(renamedFrom: "name") var fullName = ""
  var age = 0
  var year = 0
  @Encrypted(searchable: true, normalizer: .digits) var phone: String?
  /// The identifier of the teacher, who is in another store, to which no link can lead.
  @Column(indexed: true) var teacher: UUID?

  static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
    var statements: [SQLStatement] = []
    switch old {
    case 1:
      statements.append(SQLStatement("UPDATE Student SET year = age - ?", 9))
      fallthrough
    case 2:
      statements.append(SQLStatement("UPDATE Student SET fullName = trim(fullName)"))
    default: break
    }
    return statements
  }
}
