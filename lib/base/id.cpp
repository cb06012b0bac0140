#include "lib/base/id.h"

#include <sodium.h>

#include <array>
#include <cstdlib>

namespace da {
namespace {

void fill_random(std::span<unsigned char> bytes) {
  static const int ready = sodium_init();
  if (ready < 0) std::abort();
  randombytes_buf(bytes.data(), bytes.size());
}

std::string hex(std::span<const unsigned char> bytes) {
  std::string text(bytes.size() * 2 + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
  text.pop_back();
  return text;
}

std::span<const unsigned char> as_unsigned(std::string_view bytes) {
  return {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string random_uuid() {
  std::array<unsigned char, 16> bytes{};
  fill_random(bytes);
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3f) | 0x80);
  const std::string digits = hex(bytes);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) text += '-';
    text += digits[i];
  }
  return text;
}

std::string random_hex(std::size_t bytes) {
  std::string raw(bytes, '\0');
  fill_random({reinterpret_cast<unsigned char*>(raw.data()), raw.size()});
  return to_hex(raw);
}

std::string random_short_id() {
  constexpr std::string_view kAlphabet = "bcdfghjkmnpqrstvwxz23456789";
  std::string text(5, '\0');
  for (char& c : text) {
    std::array<unsigned char, 1> byte{};
    do fill_random(byte);
    while (byte[0] >= 256 / kAlphabet.size() * kAlphabet.size());
    c = kAlphabet[byte[0] % kAlphabet.size()];
  }
  return text;
}

std::string to_hex(std::string_view bytes) { return hex(as_unsigned(bytes)); }

std::string blake2b(std::string_view bytes, std::size_t size) {
  std::string digest(size, '\0');
  crypto_generichash(reinterpret_cast<unsigned char*>(digest.data()), digest.size(), as_unsigned(bytes).data(),
                     bytes.size(), nullptr, 0);
  return digest;
}

std::string keyed_blake2b(std::string_view key, std::string_view bytes) {
  std::string hash(32, '\0');
  const auto input = as_unsigned(bytes);
  const auto secret = as_unsigned(key);
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(), input.data(), input.size(),
                     secret.data(), secret.size());
  return hash;
}

}  // namespace da
