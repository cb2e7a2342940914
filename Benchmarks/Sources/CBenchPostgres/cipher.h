#pragma once

#include "wire.h"

#include <openssl/evp.h>

/// AES-256-GCM under one kept key, in the envelope of Nacre's suite 1.
///
/// The key stands for the subkey that XAES-256-GCM derives from the first half of the nonce: it is prepared once, and
/// so are the two contexts.
typedef struct {
  EVP_CIPHER_CTX *sealing;
  EVP_CIPHER_CTX *opening;
  /// The 53 bytes that bind a value to its place, for each of two columns: the last 16 are the row's.
  uint8_t places[2][53];
  /// Suite, key id and the nonce's first half.
  uint8_t prefix[17];
  /// The nonces' second halves, slices of 12 bytes from one draw.
  uint8_t random[4092];
  size_t random_used;
} bench_cipher;

/// Draws a key; returns false where libcrypto has no AES-256-GCM.
bool bench_cipher_start(bench_cipher *cipher);
void bench_cipher_end(bench_cipher *cipher);
/// Seals a text and puts the envelope as a field; NULL is NULL.
void bench_put_sealed_field(
  bench_cipher *cipher, bench_bytes *out, const char *text, int property, const uint8_t identifier[16]);
/// Returns the text in an envelope, allocated; NULL where it is none of this key's.
char *bench_open_text(
  bench_cipher *cipher, const char *envelope, size_t count, int property, const uint8_t identifier[16]);
