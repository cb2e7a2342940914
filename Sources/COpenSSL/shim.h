// libcrypto for Swift, and the EVP sequences that the hot paths need, each as one call.
//
// Results: 1 success, 0 the library failed (its error queue says why), -1 the tag did not match.
// None of these functions allocates; whatever secret they put on the stack they cleanse.
#pragma once

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

enum { NACRE_TAG_SIZE = 16 };

/// libcrypto's own generators lie in the secure heap, too, 512 bytes for each thread that draws: once it is full they
/// fail, for the whole process.
enum { NACRE_SECURE_HEAP_SIZE = 1 << 20 };

// OPENSSL_secure_malloc and its kin are macros that note the file and line.

/// Starts the secure heap, unless the application did so before.
///
/// A process can exit while its other threads still hold secrets and generators in that heap. libcrypto's exit handler
/// would take it from under them, and they would abort: so the handler is not installed, and, should the application
/// have done so already, one block that is never freed keeps the heap.
static inline int nacre_secure_heap_start(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
  if (!CRYPTO_secure_malloc_initialized()) {
    CRYPTO_secure_malloc_init(NACRE_SECURE_HEAP_SIZE, 32);
  }
  return OPENSSL_secure_malloc(1) != NULL;
}

/// Memory of the secure heap as long as half of it is left to libcrypto's generators; then ordinary memory serves.
static inline void *nacre_secure_allocate(size_t count) {
  void *memory = NULL;
  size_t limit = NACRE_SECURE_HEAP_SIZE / 2;
  if (count <= limit && CRYPTO_secure_used() <= limit - count) {
    memory = OPENSSL_secure_malloc(count);
  }
  return memory != NULL ? memory : OPENSSL_malloc(count);
}

/// Cleanses and frees memory of either heap.
static inline void nacre_secure_free(void *memory, size_t count) {
  OPENSSL_secure_clear_free(memory, count);
}

/// Keeps the process's memory from core dumps, on Linux also from processes of the same user, and its crashes from
/// Swift's backtrace, which shows memory and registers. 1, or 0 where the system refuses the first two.
static inline int nacre_hide_process(void) {
  static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
  for (size_t at = 0; at < sizeof crashes / sizeof *crashes; at++) signal(crashes[at], SIG_DFL);
  struct rlimit none = {0, 0};
  int isDone = setrlimit(RLIMIT_CORE, &none) == 0;
#ifdef __linux__
  // A limit of 0 does not count where the kernel hands its dumps to a program.
  isDone = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && isDone;
#endif
  return isDone;
}

// AES-256-GCM. The cipher is given once: giving it again on a live context drops the key.

/// Prepares a context for sealing; the key comes with `nacre_gcm_set_seal_key`.
static inline int nacre_gcm_start_sealing(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher) {
  return EVP_EncryptInit_ex2(context, cipher, NULL, NULL, NULL) == 1;
}

/// Prepares a context for opening; the key comes with `nacre_gcm_set_open_key`.
static inline int nacre_gcm_start_opening(EVP_CIPHER_CTX *context, const EVP_CIPHER *cipher) {
  return EVP_DecryptInit_ex2(context, cipher, NULL, NULL, NULL) == 1;
}

static inline int nacre_gcm_set_seal_key(EVP_CIPHER_CTX *context, const uint8_t *key) {
  return EVP_EncryptInit_ex2(context, NULL, key, NULL, NULL) == 1;
}

static inline int nacre_gcm_set_open_key(EVP_CIPHER_CTX *context, const uint8_t *key) {
  return EVP_DecryptInit_ex2(context, NULL, key, NULL, NULL) == 1;
}

/// Seals `count` bytes under the kept key; `out` takes the ciphertext and then the tag.
static inline int nacre_gcm_seal(EVP_CIPHER_CTX *context, const uint8_t *nonce, const uint8_t *aad,
                                 int aadCount, const uint8_t *in, int count, uint8_t *out) {
  int written = 0;
  if (EVP_EncryptInit_ex2(context, NULL, NULL, nonce, NULL) != 1) return 0;
  if (aadCount > 0 && EVP_EncryptUpdate(context, NULL, &written, aad, aadCount) != 1) return 0;
  if (count > 0 && EVP_EncryptUpdate(context, out, &written, in, count) != 1) return 0;
  if (EVP_EncryptFinal_ex(context, out + count, &written) != 1) return 0;
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, NACRE_TAG_SIZE, out + count) == 1;
}

/// Opens `count` bytes of ciphertext that a tag follows; `out` holds zeros unless the result is 1.
///
/// The tag is set every time: a reused context would still hold the one before.
static inline int nacre_gcm_open(EVP_CIPHER_CTX *context, const uint8_t *nonce, const uint8_t *aad,
                                 int aadCount, const uint8_t *in, int count, uint8_t *out) {
  int written = 0;
  int result = 0;
  uint8_t last[16];
  if (EVP_DecryptInit_ex2(context, NULL, NULL, nonce, NULL) != 1) goto done;
  if (EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, NACRE_TAG_SIZE,
                          (void *)(in + count)) != 1) goto done;
  if (aadCount > 0 && EVP_DecryptUpdate(context, NULL, &written, aad, aadCount) != 1) goto done;
  if (count > 0 && EVP_DecryptUpdate(context, out, &written, in, count) != 1) goto done;
  result = EVP_DecryptFinal_ex(context, last, &written) == 1 ? 1 : -1;
done:
  // The plaintext was written before the tag was compared.
  if (result != 1 && count > 0) OPENSSL_cleanse(out, (size_t)count);
  return result;
}

// XAES-256-GCM (C2SP): subkeys by AES-256-ECB. libcrypto 3.0's KBKDF ignores its `r`.

/// Keys an ECB context and computes K1, the CMAC subkey that every derivation starts from.
static inline int nacre_xaes_start(EVP_CIPHER_CTX *ecb, const EVP_CIPHER *cipher,
                                   const uint8_t *key, uint8_t *k1) {
  uint8_t block[16] = {0};
  int written = 0;
  int result = 0;
  if (EVP_EncryptInit_ex2(ecb, cipher, key, NULL, NULL) != 1) goto done;
  if (EVP_CIPHER_CTX_set_padding(ecb, 0) != 1) goto done;
  if (EVP_EncryptUpdate(ecb, block, &written, block, 16) != 1 || written != 16) goto done;
  // Doubling in GF(2^128), without a branch on the secret bit.
  uint8_t carry = (uint8_t)(0u - (block[0] >> 7)) & 0x87;
  for (int i = 0; i < 15; i++) k1[i] = (uint8_t)((block[i] << 1) | (block[i + 1] >> 7));
  k1[15] = (uint8_t)((block[15] << 1) ^ carry);
  result = 1;
done:
  OPENSSL_cleanse(block, sizeof block);
  return result;
}

/// The 32-byte subkey for the first 12 bytes of a nonce.
static inline int nacre_xaes_subkey(EVP_CIPHER_CTX *ecb, const uint8_t *k1, const uint8_t *nonce,
                                    uint8_t *subkey) {
  int written = 0;
  for (int block = 0; block < 2; block++) {
    uint8_t *m = subkey + 16 * block;
    m[0] = 0;
    m[1] = (uint8_t)(block + 1);
    m[2] = 'X';
    m[3] = 0;
    memcpy(m + 4, nonce, 12);
    for (int i = 0; i < 16; i++) m[i] ^= k1[i];
  }
  return EVP_EncryptUpdate(ecb, subkey, &written, subkey, 32) == 1 && written == 32;
}

/// Puts the subkey for a nonce's first 12 bytes into a sealing context.
static inline int nacre_xaes_rekey_sealing(EVP_CIPHER_CTX *ecb, const uint8_t *k1,
                                           const uint8_t *nonce, EVP_CIPHER_CTX *gcm) {
  uint8_t subkey[32];
  int result = nacre_xaes_subkey(ecb, k1, nonce, subkey) && nacre_gcm_set_seal_key(gcm, subkey);
  OPENSSL_cleanse(subkey, sizeof subkey);
  return result;
}

/// Puts the subkey for a nonce's first 12 bytes into an opening context.
static inline int nacre_xaes_rekey_opening(EVP_CIPHER_CTX *ecb, const uint8_t *k1,
                                           const uint8_t *nonce, EVP_CIPHER_CTX *gcm) {
  uint8_t subkey[32];
  int result = nacre_xaes_subkey(ecb, k1, nonce, subkey) && nacre_gcm_set_open_key(gcm, subkey);
  OPENSSL_cleanse(subkey, sizeof subkey);
  return result;
}

// HMAC-SHA-256 on a kept context.

/// Keys a MAC context; an empty key is 32 zero bytes, which HMAC pads to the same block.
static inline int nacre_hmac_start(EVP_MAC_CTX *context, const uint8_t *key, size_t count) {
  static const uint8_t zeros[32] = {0};
  OSSL_PARAM parameters[2];
  char digest[] = "SHA256";
  parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0);
  parameters[1] = OSSL_PARAM_construct_end();
  return EVP_MAC_init(context, count > 0 ? key : zeros, count > 0 ? count : sizeof zeros,
                      parameters) == 1;
}

/// The 32-byte MAC of a message in two parts under the kept key.
static inline int nacre_hmac_once(EVP_MAC_CTX *context, const uint8_t *first, size_t firstCount,
                                  const uint8_t *second, size_t secondCount, uint8_t *mac) {
  size_t written = 0;
  if (EVP_MAC_init(context, NULL, 0, NULL) != 1) return 0;
  if (firstCount > 0 && EVP_MAC_update(context, first, firstCount) != 1) return 0;
  if (secondCount > 0 && EVP_MAC_update(context, second, secondCount) != 1) return 0;
  return EVP_MAC_final(context, mac, &written, 32) == 1 && written == 32;
}
