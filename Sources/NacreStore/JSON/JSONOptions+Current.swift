package import NacreEngine

extension JSONOptions {
  /// The options that `using` set for the current task; nil if it set none.
  @TaskLocal private static var chosen: JSONOptions?

  /// Runs `body` with a store's options as the current ones.
  ///
  /// It is needed if values are encoded before there is a connection to the store.
  package static func using<T>(_ store: Store, _ body: () throws -> T) rethrows -> T {
    // If this thread already works on the store, the store's options are the current ones.
    if chosen == nil, ThreadBinding.innermost?.home === store { return try body() }
    return try $chosen.withValue(store.options.json, operation: body)
  }

  /// The options that `using` set, or else those of the store on which this thread works, or else
  /// those of the default store.
  package static var current: JSONOptions {
    if let chosen { return chosen }
    if let database = ThreadBinding.innermost { return database.home.options.json }
    return Store.default?.options.json ?? JSONOptions()
  }
}
