import COpenSSL
import Testing

@testable import NacreCrypto

/// Random draws when libcrypto's generator fails, or gives bytes that must not be used.
///
/// Each in a process of its own, whose generator is libcrypto's TEST-RAND (EVP_RAND-TEST-RAND(7)): it draws what it was
/// given, and then fails.
@Suite struct GeneratorTests {
  private static func replaceGenerator() throws {
    try #require(RAND_set_DRBG_type(nil, "TEST-RAND", nil, nil, nil) == 1)
  }

  /// What the public generator draws next.
  private static func give(_ bytes: [UInt8]) throws {
    var bytes = bytes
    let status = OSSL_RAND_PARAM_TEST_ENTROPY.withCString { name in
      bytes.withUnsafeMutableBytes {
        let parameters = [
          OSSL_PARAM_construct_octet_string(name, $0.baseAddress, $0.count),
          OSSL_PARAM_construct_end(),
        ]
        return EVP_RAND_CTX_set_params(RAND_get0_public(nil), parameters)
      }
    }
    try #require(status == 1)
  }

  @Test func `every draw is an error if the generator fails`() async {
    await #expect(processExitsWith: .success) {
      try GeneratorTests.replaceGenerator()
      #expect(code { _ = try SecretBytes(random: 32) } == .randomFailure)
      #expect(code { _ = try StoreID.random() } == .randomFailure)
      let pool = RandomPool()
      // The second draw must not be served from what the first could not fill.
      for _ in 0..<2 { #expect(code { _ = try pool.next16() } == .randomFailure) }
    }
  }

  @Test func `a key's id is neither zero nor in use`() async {
    await #expect(processExitsWith: .success) {
      try GeneratorTests.replaceGenerator()
      try GeneratorTests.give([0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 9])
      let used = KeyRecord(
        id: KeyID(rawValue: 7),
        purpose: .field,
        suite: .xaes256GCM,
        state: .destroyed,
        created: 0,
        wrapped: nil,
        check: nil
      )
      #expect(try KeyID.random(avoiding: [used]).rawValue == 9)
      #expect(code { _ = try KeyID.random(avoiding: [used]) } == .randomFailure)
    }
  }
}
