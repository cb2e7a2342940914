import Nacre

/// Names that mean something else in SQL.
@Entity(table: "select") final class Reserved {
  var order = 0
  @Column("group", indexed: true) var team = ""
  @Column(#"it's "quoted", -- ?"#, unique: true) var odd = 0
  @Column("🚗 naïve") var car = ""
  @Column("column", default: "it's") var text = ""
  @Encrypted @Column("primary") var key: String?
  var index: Clause?
  @Column("values") var list: [Clause] = []
  var table = Links<Clause>()
}

@Entity(table: "from") final class Clause {
  var `where` = ""
}
