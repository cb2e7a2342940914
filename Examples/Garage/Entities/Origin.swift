/// Where a car was made, spelt as in the data set.
enum Origin: String, Decodable {
  case usa = "USA"
  case europe = "Europe"
  case japan = "Japan"
}
