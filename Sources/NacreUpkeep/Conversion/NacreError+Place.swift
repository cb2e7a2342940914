import NacreEngine
import NacreStore

extension NacreError {
  /// Makes the error of a property, and of an object if there is one.
  init(
    _ code: Code,
    at place: ConversionPlace,
    _ identity: ObjectID? = nil,
    detail: String? = nil,
    advice: String? = nil,
    cause: (any Error)? = nil
  ) {
    self.init(
      code,
      entity: place.entity,
      property: place.property,
      objectID: identity?.uuid,
      detail: detail,
      advice: advice,
      cause: cause
    )
  }
}
