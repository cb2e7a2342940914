/// A row of four columns, as a struct.
struct NarrowRow: Codable {
  var whole0 = 1, whole1 = 2
  var text0 = "a text of a row"
  var real0 = 0.5
}
