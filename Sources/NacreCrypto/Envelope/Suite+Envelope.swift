extension Suite {
  /// The number of bytes of an envelope beyond its payload: 45 or 33.
  package var overheadByteCount: Int { 1 + 4 + nonceByteCount + EnvelopeHeader.tagByteCount }
}
