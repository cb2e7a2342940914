import Nacre

/// A teacher in the third release.
///
/// Version 2 counts the subjects, of which version 1 had only the text.
@Entity(version: 2) final class Teacher {
  var name = ""
  var subjects = ""
  var subjectCount = 0

  static func migrate(from old: Int, to new: Int) -> [SQLStatement] {
    guard old == 1 else { return [] }
    return [
      SQLStatement(
        "UPDATE Teacher SET subjectCount = 1 + length(subjects) - length(replace(subjects, ?, ''))",
        ","
      )
    ]
  }
}
