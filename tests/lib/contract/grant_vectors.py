"""Checks the test vectors of docs/GRANTS.md without our code: builds the protobuf wire format
by hand, takes BLAKE2b and SHA-512 from Python, and implements Ed25519 from RFC 8032.

    grant_vectors.py docs/GRANTS.md           exit code 1 if a vector is wrong
    grant_vectors.py docs/GRANTS.md --print   prints the correct vectors
"""

import hashlib
import pathlib
import re
import sys

# Wire format: https://protobuf.dev/programming-guides/encoding/


def varint(number):
    out = bytearray()
    while number > 0x7f:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def zigzag(number):
    return number << 1 if number >= 0 else (-number << 1) - 1


def number(field, value):
    """uint32, uint64, bool, enum, and int64 if it is not negative."""
    return varint(field << 3) + varint(value)


def data(field, value):
    """string, bytes and messages."""
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


# Ed25519: RFC 8032, 5.1

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def recover_x(y, odd):
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    return P - x if x & 1 != odd else x


def add(a, b):
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    e, f = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    g, h = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, h, g, f = f - e, f + e, h - g, h + g
    return e * g % P, h * f % P, g * f % P, e * h % P


def times(scalar, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def packed(point):
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def scalar_of(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def sign(seed, message):
    """(public key, signature)"""
    half = hashlib.sha512(seed).digest()
    secret = int.from_bytes(half[:32], "little") & (1 << 254) - 8 | 1 << 254
    public = packed(times(secret, BASE))
    nonce = scalar_of(half[32:], message) % L
    commitment = packed(times(nonce, BASE))
    answer = (nonce + scalar_of(commitment, public, message) * secret) % L
    return public, commitment + answer.to_bytes(32, "little")


def blake2b(message):
    return hashlib.blake2b(message, digest_size=32).digest()


def vectors():
    # Action { mouse { x: 300 y: -2 clicks: 2 } }: oneof field 3, zigzag sint32, an optional field that is set.
    action = data(3, number(1, zigzag(300)) + number(2, zigzag(-2)) + number(4, 2))
    action_digest = blake2b(action)
    window = (data(1, "0x1400003") + data(2, "Grüße - Editor") + number(3, 4711) + data(4, "/usr/bin/editor") +
              data(5, number(1, zigzag(60)) + number(2, zigzag(-20)) + number(3, 640) + number(4, 480)) +
              number(6, 1) + number(8, 123456789012))
    # Fields in numeric order; unset and default fields are omitted.
    evidence = (data(1, "0f0e0d0c0b0a09080706050403020100") + data(2, "00112233445566778899aabbccddeeff") +
                data(4, action_digest) + data(5, window) + data(8, window) +
                data(9, number(1, zigzag(300)) + number(2, zigzag(-2))) + data(10, bytes([0, 127, 255, 16])) +
                data(15, number(1, zigzag(299)) + number(2, zigzag(-3)) + number(3, 2) + number(4, 2)))
    claims = (data(1, "grant-1") + data(2, "0f0e0d0c0b0a09080706050403020100") +
              data(3, "00112233445566778899aabbccddeeff") + data(4, action_digest) + data(5, blake2b(evidence)) +
              data(6, "task-1") + data(7, "step-1") + data(8, "x11:0") + data(9, "rules-1") + data(10, "policy") +
              number(11, 2000))
    seed = bytes(range(32))
    signing_input = b"da.v1.grant\0" + claims
    public, signature = sign(seed, signing_input)
    return {"action": action, "action_digest": action_digest, "evidence": evidence,
            "evidence_digest": blake2b(evidence), "claims": claims, "signing_input": signing_input, "seed": seed,
            "public_key": public, "signature": signature, "grant": data(1, claims) + data(2, signature)}


def documented(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    block = re.search(r"```vectors\n(.*?)```", text, re.DOTALL).group(1)
    return {name: bytes.fromhex(value) for name, value in re.findall(r"^(\w+) =((?:\s+[0-9a-f]+)+)$", block, re.M)}


def show(name, value):
    hexadecimal = value.hex()
    lines = [hexadecimal[at:at + 100] for at in range(0, len(hexadecimal), 100)]
    return f"{name} =\n" + "\n".join("  " + line for line in lines)


def main():
    expected = vectors()
    if "--print" in sys.argv:
        print("\n".join(show(*pair) for pair in expected.items()))
        return 0
    # RFC 8032, 7.1, TEST 1: proves that sign() is Ed25519.
    public, signature = sign(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"), b"")
    assert public.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert signature.hex().startswith("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155")
    found = documented(sys.argv[1])
    wrong = [name for name in expected if found.get(name) != expected[name]] + sorted(set(found) - set(expected))
    for name in wrong:
        print(f"the vector {name} does not hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
