#if PostgreSQL
import NacreEngine
import Testing
@testable import NacrePostgres

@Suite struct SQLStateTests {
  @Test(arguments: [
    ("40001", EngineErrorKind.conflict), ("40P01", .deadlock), ("55P03", .busy),
    ("57014", .timedOut), ("57P01", .connectionLost), ("08006", .connectionLost),
    ("23505", .constraint), ("25006", .readOnly), ("25P02", .rolledBack), ("53100", .full),
    ("28P01", .cannotOpen), ("42601", .badStatement), ("22003", .overflow),
    ("22P02", .badStatement), ("54000", .tooLarge), ("54011", .badStatement),
    ("XX001", .corrupt), ("99999", .other), ("", .other),
  ])
  func `a code has its kind`(state: String, kind: EngineErrorKind) {
    #expect(SQLState.kind(of: state) == kind)
  }

  @Test func `an error without texts keeps its code, kind and place`() {
    let error = PostgresError(
      sqlState: "23505",
      kind: .constraint,
      message: "duplicate key value violates \"secret\"",
      sql: "INSERT INTO secret",
      place: "Car.plate"
    )
    let hidden = error.withoutTexts()
    #expect(!"\(hidden)".contains("secret"))
    #expect(hidden.violation == ConstraintViolation(kind: .unique, place: "Car.plate"))
    #expect((hidden as? PostgresError)?.sqlState == "23505")
  }
}
#endif
