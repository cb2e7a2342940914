/// A sealed property; a crypt method receives its type and name.
struct SealedProperty: Hashable, Sendable {
  let type: String
  let property: String
}
