#if Tool
import NacreStore
import NacreUpkeep

extension StoreDescription {
  /// What lies sealed in the store's file: `file` for every page, `properties` for the values of sealed properties.
  var seals: String { Int64(format) == StoreFoundation.sealedFormat ? "file" : "properties" }
}
#endif
