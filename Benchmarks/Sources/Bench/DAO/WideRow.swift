/// A row of forty columns, as a struct.
struct WideRow: Codable {
  var whole0 = 1, whole1 = 1, whole2 = 1, whole3 = 1, whole4 = 1
  var whole5 = 1, whole6 = 1, whole7 = 1, whole8 = 1, whole9 = 1
  var whole10 = 1, whole11 = 1, whole12 = 1, whole13 = 1, whole14 = 1
  var whole15 = 1, whole16 = 1, whole17 = 1, whole18 = 1, whole19 = 1
  var text0 = "a text", text1 = "a text", text2 = "a text", text3 = "a text", text4 = "a text"
  var text5 = "a text", text6 = "a text", text7 = "a text", text8 = "a text", text9 = "a text"
  var real0 = 0.5, real1 = 0.5, real2 = 0.5, real3 = 0.5, real4 = 0.5
  var real5 = 0.5, real6 = 0.5, real7 = 0.5, real8 = 0.5, real9 = 0.5
}
