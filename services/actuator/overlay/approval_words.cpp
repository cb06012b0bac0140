#include "services/actuator/overlay/approval_words.h"

#include <string_view>

#include "lib/base/id.h"
#include "lib/contract/digest.h"

namespace da::actuator {
namespace {

constexpr std::size_t kWords = 4;

// Consonants take four bits, vowels two: consonant, vowel, consonant, vowel, consonant.
std::string proquint(unsigned bits) {
  constexpr std::string_view kConsonants = "bdfghjklmnprstvz";
  constexpr std::string_view kVowels = "aiou";
  return {kConsonants[bits >> 12U & 0xfU], kVowels[bits >> 10U & 0x3U], kConsonants[bits >> 6U & 0xfU],
          kVowels[bits >> 4U & 0x3U], kConsonants[bits & 0xfU]};
}

}  // namespace

ApprovalWords::ApprovalWords() : key_(random_hex(32)) {}

std::string ApprovalWords::of(const v1::Action& action, const v1::Evidence& evidence) const {
  const std::string hash = keyed_blake2b(key_, contract::digest(action) + contract::digest(evidence));
  std::string words;
  for (std::size_t i = 0; i < kWords; ++i) {
    const auto high = static_cast<unsigned char>(hash[2 * i]);
    const auto low = static_cast<unsigned char>(hash[2 * i + 1]);
    words += (i == 0 ? "" : " ") + proquint(static_cast<unsigned>(high << 8U | low));
  }
  return words;
}

}  // namespace da::actuator
