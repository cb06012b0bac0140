// Ids and digests. Random bytes come from libsodium. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace da {

// RFC 4122 version 4 UUID, lower case.
std::string random_uuid();

// Hexadecimal of this many random bytes.
std::string random_hex(std::size_t bytes);

// Short id that a person can type, such as "k7m2p": consonants and digits that cannot be confused with one another.
std::string random_short_id();

std::string to_hex(std::string_view bytes);

// BLAKE2b of the bytes, raw, `size` bytes long (16 or 32).
std::string blake2b(std::string_view bytes, std::size_t size = 32);
// BLAKE2b of 32 bytes with a key of 16 to 64 bytes.
std::string keyed_blake2b(std::string_view key, std::string_view bytes);

}  // namespace da
