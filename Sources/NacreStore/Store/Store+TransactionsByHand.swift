public import NacreEngine

extension Store {
  /// Begins a transaction that ends with ``commit()`` or ``rollback()`` on the same thread.
  ///
  /// Until then everything that this thread does with the store belongs to the transaction, and
  /// other threads' writes wait. If the thread ends first, the transaction is rolled back. The
  /// threads of a queue do not end but go on to other work: use ``write(_:_:)`` there.
  ///
  /// - Throws: ``NacreError/Code/transactionState`` if a transaction is open on this thread
  ///   already, or inside `read`.
  @available(*, noasync, message: "a task can continue on another thread; use write { }")
  public func begin(_ kind: TransactionKind = .immediate) throws {
    switch ThreadBinding.place(in: self) {
    case .writing:
      throw NacreError(.transactionState, detail: "a transaction is open on this thread already")
    case .reading: throw Self.writeInsideRead
    case .outside: break
    }
    try NacreError.wrapping {
      let pool = try pool
      let database = try pool.acquireWriter()
      do {
        try settings.apply(to: database)
        try database.begin(kind)
      } catch {
        pool.releaseWriter(database)
        throw error
      }
      database.openedBy = self
      ThreadBinding.push(database)
    }
  }

  /// Stores everything that was written since ``begin(_:)``.
  ///
  /// - Throws: ``NacreError``; if the transaction can't be committed, it is rolled back.
  @available(*, noasync, message: "a task can continue on another thread; use write { }")
  public func commit() throws { try end { try $0.commit() } }

  /// Undoes everything that was written since ``begin(_:)``, in the file and in memory.
  ///
  /// - Throws: ``NacreError/Code/transactionState`` if no transaction is open on this thread.
  @available(*, noasync, message: "a task can continue on another thread; use write { }")
  public func rollback() throws { try end { $0.rollBack() } }

  private func end(_ body: (Database) throws -> Void) throws {
    guard let database = ThreadBinding.writer(of: self), database.isOpenedByHand else {
      throw NacreError(
        .transactionState,
        detail: "call `begin()` first, and `commit()` or `rollback()` on the same thread"
      )
    }
    defer { database.endByHand() }
    try NacreError.wrapping { try body(database) }
  }
}

extension Database {
  /// Rolls back a transaction that was begun by hand on a thread that is ending.
  func abandon() {
    guard isOpenedByHand else { return }
    rollBack()
    endByHand()
  }

  /// Hands the writer to the next borrower after a transaction that was begun by hand.
  fileprivate func endByHand() {
    let store = openedBy
    openedBy = nil
    ThreadBinding.pop(self)
    (try? store?.pool)?.giveBack(writer: self)
  }
}
