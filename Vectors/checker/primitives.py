"""The standard functions that format 1 is made of. FORMAT.md, "Primitives"."""

import hashlib
import hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class Refused(Exception):
    """What is not opened, with the kind of failure that FORMAT.md and the cases name."""

    def __init__(self, kind, detail=""):
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind


def u16(n):
    return n.to_bytes(2, "big")


def u32(n):
    return n.to_bytes(4, "big")


def u64(n):
    return n.to_bytes(8, "big")


def lp(text):
    """LP(x): without the length, ("ab", "c") and ("a", "bc") would be one place."""
    data = text.encode("utf-8")
    return u16(len(data)) + data


def sha256(data):
    return hashlib.sha256(data).digest()


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def hkdf_extract(salt, ikm):
    return mac(salt or bytes(32), ikm)


def hkdf_expand(prk, info, length=32):
    # Spelled out, not taken from `cryptography`: the cases then test RFC 5869's text twice over.
    block, out, counter = b"", b"", 1
    while len(out) < length:
        block = mac(prk, block + info + bytes([counter]))
        out, counter = out + block, counter + 1
    return out[:length]


def hkdf(ikm, salt, info, length=32):
    return hkdf_expand(hkdf_extract(salt, ikm), info, length)


def scrypt(passphrase, salt, n, r, p, length=32):
    # OpenSSL's own limit is 32 MiB, less than N=2^15 needs.
    return hashlib.scrypt(passphrase, salt=salt, n=n, r=r, p=p, dklen=length,
                          maxmem=2 * 128 * r * (n + p) + (1 << 20))


def xaes_steps(key, nonce):
    """The subkey derivation of XAES-256-GCM with every intermediate, named as C2SP names them."""
    aes = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    l = aes.update(bytes(16))
    doubled = int.from_bytes(l, "big") << 1
    if doubled >> 128:
        doubled = (doubled & ((1 << 128) - 1)) ^ 0x87
    k1 = doubled.to_bytes(16, "big")
    m1 = b"\x00\x01X\x00" + nonce[:12]
    m2 = b"\x00\x02X\x00" + nonce[:12]
    kx = b"".join(aes.update(bytes(a ^ b for a, b in zip(m, k1))) for m in (m1, m2))
    return {"L": l, "K1": k1, "M1": m1, "M2": m2, "Kx": kx, "Nx": nonce[12:]}


def gcm_seal(key, nonce, plaintext, aad):
    return AESGCM(key).encrypt(nonce, plaintext, aad)


def gcm_open(key, nonce, ciphertext_and_tag, aad):
    try:
        return AESGCM(key).decrypt(nonce, ciphertext_and_tag, aad)
    except InvalidTag:
        raise Refused("authenticationFailed") from None


def xts_cipher(key, number):
    return Cipher(algorithms.AES(key), modes.XTS(number.to_bytes(16, "little")))


def xts_encrypt(key, number, plaintext):
    encryptor = xts_cipher(key, number).encryptor()
    return encryptor.update(plaintext) + encryptor.finalize()


def xts_decrypt(key, number, ciphertext):
    decryptor = xts_cipher(key, number).decryptor()
    return decryptor.update(ciphertext) + decryptor.finalize()


def xaes_seal(key, nonce, plaintext, aad):
    steps = xaes_steps(key, nonce)
    return gcm_seal(steps["Kx"], steps["Nx"], plaintext, aad)


def xaes_open(key, nonce, ciphertext_and_tag, aad):
    steps = xaes_steps(key, nonce)
    return gcm_open(steps["Kx"], steps["Nx"], ciphertext_and_tag, aad)


def xaes_accumulated(count):
    """C2SP's accumulated test: `count` random inputs folded into one 32-byte value."""
    # hashlib hands out SHAKE's output only in one piece, so ask for the most it could take:
    # 32 + 24 + 1 + 255 + 1 + 255 bytes a case.
    stream = memoryview(hashlib.shake_128(b"").digest(count * 568))
    at, folded = 0, hashlib.shake_128()

    def take(length):
        nonlocal at
        at += length
        return bytes(stream[at - length:at])

    for _ in range(count):
        key, nonce = take(32), take(24)
        plaintext = take(take(1)[0])
        aad = take(take(1)[0])
        folded.update(xaes_seal(key, nonce, plaintext, aad))
    return folded.digest(32)
