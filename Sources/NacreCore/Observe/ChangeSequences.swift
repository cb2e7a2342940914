/// The changes to an entity's objects since the call of `store.changes(of:)`, one element per
/// transaction.
///
/// A slow reader loses nothing: all changes that were committed meanwhile come as one element. The
/// sequence ends when the store is closed or the task is cancelled. Only one task may read it;
/// another reader calls `store.changes(of:)` again.
public struct EntityChanges<E: Entity>: AsyncSequence, Sendable {
  /// The sequence never throws.
  public typealias Failure = Never

  let subscription: Subscription<RowChanges>

  /// Reads the changes one after another.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: Subscription<RowChanges>

    /// Returns the next changes, as soon as there are some; nil at the end.
    public mutating func next() async -> Changes<E>? {
      await subscription.next().map { Changes($0) }
    }

    /// Returns the next changes, as soon as there are some; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Changes<E>? {
      await subscription.next().map { Changes($0) }
    }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }
}

/// The changes to one stored object since the call that made the sequence.
///
/// The sequence holds the object's identifier, not the object. It ends when the store is closed or
/// the task is cancelled.
public struct ObjectChanges: AsyncSequence, Sendable {
  /// The sequence never throws.
  public typealias Failure = Never

  let subscription: Subscription<RowChanges>

  /// Reads the changes one after another.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: Subscription<RowChanges>

    /// Returns the next change, as soon as there is one; nil at the end.
    public mutating func next() async -> ObjectChange? {
      await subscription.next()?.byObject.values.first
    }

    /// Returns the next change, as soon as there is one; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ObjectChange? {
      await subscription.next()?.byObject.values.first
    }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }
}
