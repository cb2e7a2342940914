// Calls for sealed files beyond `shim.h`: sealed pages, temporary files, and the system's generator.
//
// Results are those of `shim.h`. None of these functions allocates.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

#include <openssl/evp.h>

// Pages of a sealed file: AES-256-GCM over a page and the eight bytes that are sealed with it.

enum { NACRE_PAGE_MORE_SIZE = 8, NACRE_PAGE_TAG_SIZE = 16 };

/// Seals `count` bytes of a page and the eight of `more` under the kept key; `out` takes the ciphertext, then the tag.
///
/// `out` may be `page`. `count` is a multiple of 16, so that the second update finds no rest of the first.
static inline int nacre_page_seal(EVP_CIPHER_CTX *context, const uint8_t *nonce, const uint8_t *aad,
                                  int aadCount, const uint8_t *page, int count,
                                  const uint8_t *more, uint8_t *out) {
  int written = 0;
  uint8_t *end = out + count + NACRE_PAGE_MORE_SIZE;
  if (EVP_EncryptInit_ex2(context, NULL, NULL, nonce, NULL) != 1) return 0;
  if (EVP_EncryptUpdate(context, NULL, &written, aad, aadCount) != 1) return 0;
  if (EVP_EncryptUpdate(context, out, &written, page, count) != 1) return 0;
  if (EVP_EncryptUpdate(context, out + count, &written, more, NACRE_PAGE_MORE_SIZE) != 1) return 0;
  if (EVP_EncryptFinal_ex(context, end, &written) != 1) return 0;
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, NACRE_PAGE_TAG_SIZE, end) == 1;
}

/// Opens what `nacre_page_seal` sealed; `page` may be `sealed`.
///
/// Unless the result is 1, `page` and `more` hold bytes that nobody authenticated: the caller overwrites them.
static inline int nacre_page_open(EVP_CIPHER_CTX *context, const uint8_t *nonce, const uint8_t *aad,
                                  int aadCount, const uint8_t *sealed, int count, uint8_t *page,
                                  uint8_t *more) {
  int written = 0;
  int result = 0;
  uint8_t last[16];
  const uint8_t *end = sealed + count + NACRE_PAGE_MORE_SIZE;
  if (EVP_DecryptInit_ex2(context, NULL, NULL, nonce, NULL) != 1) goto done;
  if (EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, NACRE_PAGE_TAG_SIZE, (void *)end) != 1) goto done;
  if (EVP_DecryptUpdate(context, NULL, &written, aad, aadCount) != 1) goto done;
  if (EVP_DecryptUpdate(context, page, &written, sealed, count) != 1) goto done;
  if (EVP_DecryptUpdate(context, more, &written, sealed + count, NACRE_PAGE_MORE_SIZE) != 1) goto done;
  result = EVP_DecryptFinal_ex(context, last, &written) == 1 ? 1 : -1;
done:
  return result;
}

// AES-256-XTS (IEEE 1619), for temporary files: it encrypts and does not authenticate.

/// Keys one context for encryption and one for decryption with 64 bytes, whose halves must differ.
static inline int nacre_xts_start(EVP_CIPHER_CTX *encrypting, EVP_CIPHER_CTX *decrypting,
                                  const EVP_CIPHER *cipher, const uint8_t *key) {
  return EVP_EncryptInit_ex2(encrypting, cipher, key, NULL, NULL) == 1 &&
         EVP_DecryptInit_ex2(decrypting, cipher, key, NULL, NULL) == 1;
}

/// Encrypts a block in place under the kept key; the tweak has 16 bytes.
static inline int nacre_xts_encrypt(EVP_CIPHER_CTX *context, const uint8_t *tweak, uint8_t *block, int count) {
  int written = 0;
  return EVP_EncryptInit_ex2(context, NULL, NULL, tweak, NULL) == 1 &&
         EVP_EncryptUpdate(context, block, &written, block, count) == 1 && written == count;
}

/// Decrypts a block in place under the kept key; the tweak has 16 bytes.
static inline int nacre_xts_decrypt(EVP_CIPHER_CTX *context, const uint8_t *tweak, uint8_t *block, int count) {
  int written = 0;
  return EVP_DecryptInit_ex2(context, NULL, NULL, tweak, NULL) == 1 &&
         EVP_DecryptUpdate(context, block, &written, block, count) == 1 && written == count;
}

// The system's own generator.

/// Draws at most 256 bytes straight from the system, so that no state of this process can give them twice.
static inline int nacre_system_random(uint8_t *bytes, size_t count) { return getentropy(bytes, count) == 0; }
