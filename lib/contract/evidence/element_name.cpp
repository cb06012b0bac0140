#include "lib/contract/evidence/element_name.h"

namespace da::contract {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// The size in bytes of the first `characters` characters, or of the whole text if it has fewer.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (std::size_t begun = 0; at < text.size(); ++at) {
    if (begins_character(text[at]) && begun++ == characters) break;
  }
  return at;
}

}  // namespace

std::string cut_name(std::string_view name) { return std::string(name.substr(0, bytes_of(name, kMaxNameCharacters))); }

bool may_be_cut(std::string_view name) {
  return name.size() >= kMaxNameCharacters && bytes_of(name, kMaxNameCharacters - 1) < name.size();
}

}  // namespace da::contract
