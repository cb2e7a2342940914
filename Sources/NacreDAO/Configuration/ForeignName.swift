/// Knows the elements and attributes of MyBatis that have another name here.
enum ForeignName {
  /// The advice on what to write in place of an element or attribute, after a semicolon; empty for an unknown name.
  static func advice(insteadOf name: String) -> String {
    guard let word = words[name] else { return "" }
    return "; for MyBatis's \(name) write \(word)"
  }

  private static let words = [
    "test": "true=\"…\"", "parameterType": "arguments=\"…\"", "parameterMap": "arguments=\"…\"",
    "resultType": "result=\"…\"", "resultMap": "<map> and result=\":id\"", "namespace": "name",
    "useGeneratedKeys": "insertedRowID of DAOResult", "keyProperty": "insertedRowID of DAOResult",
    "selectKey": "insertedRowID of DAOResult", "association": "a join and <map>",
    "databaseId": "one file for each database",
  ]
}
