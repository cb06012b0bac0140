#include "services/policy/judgement/chords.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/keys.h"

namespace da::policy {
namespace {

constexpr std::array<std::string_view, 5> kModifierOrder = {"ctrl", "alt", "altgr", "shift", "win"};

std::size_t modifier_rank(const std::string& key) {
  return static_cast<std::size_t>(std::ranges::find(kModifierOrder, key) - kModifierOrder.begin());
}

Result<std::string> chord_of(std::vector<std::string> held, const std::string& key) {
  held.push_back(key);
  return normalised_chord(held);
}

}  // namespace

Result<std::string> normalised_chord(std::span<const std::string> keys) {
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    auto name = contract::canonical_key(key);
    if (!name) return Error{Code::kInvalidArgument, "no key is called \"" + escape_foreign(key, 40) + "\""};
    if (std::ranges::find(names, *name) == names.end()) names.push_back(*std::move(name));
  }
  if (names.empty()) return Error{Code::kInvalidArgument, "a chord needs at least one key"};
  std::ranges::sort(names, [](const std::string& a, const std::string& b) {
    return modifier_rank(a) != modifier_rank(b) ? modifier_rank(a) < modifier_rank(b) : a < b;
  });
  std::string chord;
  for (const std::string& name : names) chord += (chord.empty() ? "" : "+") + name;
  return chord;
}

// The desktop acts when a key goes down, on the keys that are held by then: alt+f2+pause and alt+f2+shift are alt+f2 to
// it. So each key is combined with the modifiers before it, and with all of them. A character may need a shift of its
// own ("?"), which is then held for the keys after it.
Result<std::vector<std::string>> hotkey_chords(std::span<const std::string> keys) {
  std::vector<std::string> chords;
  ASSIGN_OR_RETURN(chords.emplace_back(), normalised_chord(keys));
  std::vector<std::string> modifiers;
  std::vector<std::pair<std::string, std::vector<std::string>>> taps;  // Each other key, and the modifiers before it.
  for (const std::string& key : keys) {
    ASSIGN_OR_RETURN(const std::string name, normalised_chord(std::span(&key, 1)));
    if (contract::is_modifier(name))
      modifiers.push_back(name);
    else
      taps.emplace_back(name, modifiers);
  }
  for (auto& [key, before] : taps) {
    for (std::vector<std::string> held : {before, modifiers}) {
      ASSIGN_OR_RETURN(chords.emplace_back(), chord_of(held, key));
      if (taps.size() < 2) continue;
      held.emplace_back("shift");
      ASSIGN_OR_RETURN(chords.emplace_back(), chord_of(held, key));
    }
  }
  return chords;
}

}  // namespace da::policy
