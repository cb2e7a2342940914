#if Tool
import NacreStore
import NacreUpkeep

extension StoreDescription {
  /// The parts of the store's file that lie sealed: `file` for every page, `properties` for the values of sealed properties.
  var seals: String { Int64(format) == StoreFoundation.sealedFormat ? "file" : "properties" }
}
#endif
