#include "cipher.h"

#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

enum { prefix_count = 17, header_count = 29, tag_count = 16, place_count = 53, limit = 512, text_tag = 3 };

bool bench_cipher_start(bench_cipher *cipher) {
  EVP_CIPHER *algorithm = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
  uint8_t key[32];
  *cipher = (bench_cipher){.sealing = EVP_CIPHER_CTX_new(), .opening = EVP_CIPHER_CTX_new()};
  cipher->random_used = sizeof cipher->random;
  const uint8_t key_id[4] = {7};
  for (int property = 0; property < 2; property++) {
    RAND_bytes(cipher->places[property], 32);
    cipher->places[property][32] = 1;
    memcpy(cipher->places[property] + 33, key_id, sizeof key_id);
  }
  cipher->prefix[0] = 1;
  memcpy(cipher->prefix + 1, key_id, sizeof key_id);
  RAND_bytes(cipher->prefix + 5, prefix_count - 5);
  bool is_good = RAND_bytes(key, sizeof key) == 1 && algorithm != NULL
    && EVP_EncryptInit_ex2(cipher->sealing, algorithm, key, NULL, NULL) == 1
    && EVP_DecryptInit_ex2(cipher->opening, algorithm, key, NULL, NULL) == 1;
  EVP_CIPHER_free(algorithm);
  return is_good;
}

void bench_cipher_end(bench_cipher *cipher) {
  EVP_CIPHER_CTX_free(cipher->sealing);
  EVP_CIPHER_CTX_free(cipher->opening);
}

static const uint8_t *place_of(bench_cipher *cipher, int property, const uint8_t identifier[16]) {
  memcpy(cipher->places[property] + place_count - 16, identifier, 16);
  return cipher->places[property];
}

/// Takes 12 random bytes.
static const uint8_t *next_nonce(bench_cipher *cipher) {
  if (cipher->random_used == sizeof cipher->random) {
    RAND_bytes(cipher->random, sizeof cipher->random);
    cipher->random_used = 0;
  }
  cipher->random_used += 12;
  return cipher->random + cipher->random_used - 12;
}

void bench_put_sealed_field(
  bench_cipher *cipher, bench_bytes *out, const char *text, int property, const uint8_t identifier[16]
) {
  if (text == NULL) {
    bench_put_int32(out, -1);
    return;
  }
  uint8_t payload[limit], envelope[limit];
  // What is longer than the benchmark's texts is cut, and then the checksum tells.
  size_t length = strlen(text), most = limit - header_count - tag_count - 1;
  size_t count = (length < most ? length : most) + 1;
  payload[0] = text_tag;
  memcpy(payload + 1, text, count - 1);
  memcpy(envelope, cipher->prefix, prefix_count);
  memcpy(envelope + prefix_count, next_nonce(cipher), 12);
  uint8_t *sealed = envelope + header_count;
  int written;
  EVP_CIPHER_CTX *context = cipher->sealing;
  EVP_EncryptInit_ex2(context, NULL, NULL, envelope + prefix_count, NULL);
  EVP_EncryptUpdate(context, NULL, &written, place_of(cipher, property, identifier), place_count);
  EVP_EncryptUpdate(context, sealed, &written, payload, (int)count);
  // If one of these calls fails, the envelope does not open.
  EVP_EncryptFinal_ex(context, sealed + count, &written);
  EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_count, sealed + count);
  bench_put_bytes_field(out, envelope, header_count + count + tag_count);
}

char *bench_open_text(
  bench_cipher *cipher, const char *envelope, size_t count, int property, const uint8_t identifier[16]
) {
  // One key, one first half of a nonce: whatever else stands there is not ours to open.
  if (count <= header_count + tag_count || count > limit) return NULL;
  if (memcmp(envelope, cipher->prefix, prefix_count) != 0) return NULL;
  uint8_t payload[limit];
  const uint8_t *bytes = (const uint8_t *)envelope;
  size_t length = count - header_count - tag_count;
  int written;
  EVP_CIPHER_CTX *context = cipher->opening;
  bool is_good = EVP_DecryptInit_ex2(context, NULL, NULL, bytes + prefix_count, NULL) == 1
    && EVP_CIPHER_CTX_ctrl(
      context, EVP_CTRL_AEAD_SET_TAG, tag_count, (void *)(bytes + header_count + length)) == 1
    && EVP_DecryptUpdate(context, NULL, &written, place_of(cipher, property, identifier), place_count) == 1
    && EVP_DecryptUpdate(context, payload, &written, bytes + header_count, (int)length) == 1
    && EVP_DecryptFinal_ex(context, payload + length, &written) == 1 && payload[0] == text_tag;
  return is_good ? bench_text((const char *)payload + 1, length - 1) : NULL;
}
