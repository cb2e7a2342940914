/// The tables of every subject but Nacre, which makes its own; the run fails when the two differ.
enum Schema {
  private static let values = """
    "objectID" BLOB NOT NULL PRIMARY KEY DEFAULT (randomblob(16)), "name" TEXT NOT NULL, "color" TEXT, \
    "power" INTEGER NOT NULL, "weight" REAL NOT NULL, "year" INTEGER NOT NULL
    """
  private static let sealedValues = values + #", "vin" BLOB, "plate" BLOB"#

  /// The one table of the samples.
  static func samples(sealed: Bool) -> [String] {
    [
      sealed
        ? "CREATE TABLE \"SealedSample\" (\(sealedValues)) WITHOUT ROWID"
        : "CREATE TABLE \"Sample\" (\(values)) WITHOUT ROWID"
    ]
  }

  /// The tables of cars with an engine and wheels.
  static func graphs(sealed: Bool) -> [String] {
    let car = sealed ? "SealedCar" : "Car"
    return [
      """
      CREATE TABLE "Engine" ("objectID" BLOB NOT NULL PRIMARY KEY DEFAULT (randomblob(16)), "code" TEXT NOT NULL, \
      "cylinders" INTEGER NOT NULL) WITHOUT ROWID
      """,
      """
      CREATE TABLE "Wheel" ("objectID" BLOB NOT NULL PRIMARY KEY DEFAULT (randomblob(16)), "brand" TEXT, \
      "size" INTEGER NOT NULL) WITHOUT ROWID
      """,
      """
      CREATE TABLE "\(car)" (\(sealed ? sealedValues : values), "engine" BLOB \
      REFERENCES "Engine"("objectID") ON DELETE SET NULL \
      DEFERRABLE INITIALLY DEFERRED) WITHOUT ROWID
      """,
      """
      CREATE INDEX "\(car)__engine" ON "\(car)"("engine")
      """,
      """
      CREATE TABLE "\(car)_wheels" ("owner" BLOB NOT NULL REFERENCES "\(car)"("objectID") \
      ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, "position" INTEGER NOT NULL, \
      "child" BLOB NOT NULL REFERENCES "Wheel"("objectID") ON DELETE CASCADE \
      DEFERRABLE INITIALLY DEFERRED, PRIMARY KEY ("owner", "position")) WITHOUT ROWID
      """,
      """
      CREATE INDEX "\(car)_wheels__child" ON "\(car)_wheels"("child")
      """,
    ]
  }
}
