extension FileKeys {
  /// The keys of a copy of the file: under the same store key and slots, with one file key of its own.
  ///
  /// - Parameters:
  ///   - created: The time in milliseconds since 1970.
  ///   - others: The keys of the ring in the tables, whose ids the new key does not get.
  /// - Returns: The keys; the copy's header has a higher sequence number, as its pages ask for.
  /// - Throws: `randomFailure` or `internalFailure`.
  package func forCopy(
    createdAt created: UInt64,
    avoiding others: [KeyRecord]
  ) throws(CryptoError) -> FileKeys {
    let key = try DataKey.random(
      storeID: storeID,
      .file,
      .xaes256GCM,
      avoiding: header.keys + others
    )
    var fields = header
    fields.sequence += 1
    fields.keys = [try storeKey.record(of: key, state: .primary, created: created)]
    return try FileKeys(
      fields,
      storeKey: storeKey,
      formerStoreKey: formerStoreKey,
      dataKeys: [key.id: key]
    )
  }
}
