import Synchronization

extension Store {
  /// The store that ``asDefault(_:)-(()throws->T)`` made the default one of this task; nil if none.
  @TaskLocal private static var chosenByTask: Store?

  /// Whether any task has chosen a store, because reading a task's values costs time in every call.
  // Relaxed: a task that inherits a store was made after the store was chosen.
  private static let isChosenByAny = Atomic(false)

  /// The default store of this task; nil if it has none of its own.
  static var ofTask: Store? { isChosenByAny.load(ordering: .relaxed) ? chosenByTask : nil }

  /// Runs `body` with this store as the default one of the task or thread.
  ///
  /// In `body`, and in the tasks that it starts with `async let` or in a task group, entities,
  /// records and ``default`` use this store, whatever other tasks use at the same time. So each of
  /// many tests that run at once can have a store of its own.
  /// ```swift
  /// try Store.inMemory().asDefault {
  ///   try Car.create().save()
  /// }
  /// ```
  /// It comes before a store that was opened for a class and before that of ``makeDefault()``. The
  /// store of a `read` or `write` around a call comes before it, and so does the store of an object.
  /// A thread that `body` starts, or work that it adds to a queue, does not know of it.
  ///
  /// - Parameter body: Runs with the store.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func asDefault<T>(_ body: () throws -> T) rethrows -> T {
    Self.isChosenByAny.store(true, ordering: .relaxed)
    return try Self.$chosenByTask.withValue(self, operation: body)
  }

  /// Runs `body` with this store as the default one of the task; the async version of
  /// ``asDefault(_:)-(()throws->T)``.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor, on which `body` runs.
  ///   - body: Runs with the store.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func asDefault<T>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> T
  ) async rethrows -> T {
    Self.isChosenByAny.store(true, ordering: .relaxed)
    return try await Self.$chosenByTask.withValue(self, operation: body, isolation: isolation)
  }
}
