#include "services/actuator/target/field_content.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "lib/base/text.h"
#include "lib/contract/evidence/roles.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kAnswerTimeout{700};
// Browsers report a selection a moment after it was made.
constexpr Milliseconds kSelectTimeout{300};
constexpr Milliseconds kContentTimeout{1'000};
constexpr Milliseconds kQuiet{20};
constexpr int kMostReads = 60;  // Ends the loops even if the clock stands still.

std::size_t utf16_length(std::u32string_view text) {
  return text.size() + static_cast<std::size_t>(std::ranges::count_if(text, [](char32_t c) { return c > 0xffff; }));
}

// What the application tells about the content; without a reading of its own, the element's text.
Result<TextContent> ask_content(Desktop& desktop, const Element& field, const Clock& clock) {
  const MonoTime deadline = clock.now() + kAnswerTimeout;
  auto told = desktop.ui_tree().content(field.handle, deadline);
  if (told || told.error().code != Code::kUnimplemented) return told;
  ASSIGN_OR_RETURN(Element now, desktop.ui_tree().refresh(field.handle, deadline));
  // An element without text may be empty, or may not expose its text.
  if (now.has(ElementState::kPassword) || now.text.empty()) return told;
  const auto characters = decode_utf8(now.text);
  return TextContent{.length = characters ? characters->size() : now.text.size(), .text = std::move(now.text)};
}

// Reads the content until it is as wanted. The last reading, or why there is none.
Result<TextContent> await_content(Desktop& desktop, const Element& field, Milliseconds longest, const Clock& clock,
                                  const std::function<bool(const TextContent&)>& wanted) {
  const MonoTime deadline = clock.now() + longest;
  for (int reads = 1;; ++reads) {
    auto now = ask_content(desktop, field, clock);
    if (!now || wanted(*now) || clock.now() >= deadline || reads >= kMostReads) return now;
    ASSIGN_OR_RETURN([[maybe_unused]] const auto quiet,
                     desktop.screen().wait_quiet(kQuiet, std::min(deadline, clock.now() + 2 * kQuiet)));
  }
}

bool is_all_selected(const TextContent& content) {
  return content.length == 0 ||
         (content.selected && content.selected->first == 0 && content.selected->count >= content.length);
}

bool becomes_all_selected(Desktop& desktop, const Element& field, const Clock& clock) {
  const auto now = await_content(desktop, field, kSelectTimeout, clock, is_all_selected);
  return now && is_all_selected(*now);
}

Result<void> press(Desktop& desktop, std::initializer_list<std::string> chord, const Checkpoint& checkpoint) {
  const std::vector<std::string> keys(chord);
  return desktop.input().chord(keys, checkpoint);
}

Result<void> select_line(Desktop& desktop, const Checkpoint& checkpoint) {
  RETURN_IF_ERROR(press(desktop, {"home"}, checkpoint));
  return press(desktop, {"shift", "end"}, checkpoint);
}

// Browsers show typed blanks as no-break spaces.
std::u32string plain(std::u32string text) {
  std::ranges::replace(text, U'\u00a0', U' ');
  return text;
}

// A spin button adds a unit or decimals to what was typed: "40 px".
bool shows_as_value(const std::u32string& shown, const std::u32string& typed) {
  const auto at = shown.find(typed);
  if (at == std::u32string::npos) return false;
  const auto is_digit = [](char32_t c) { return c >= U'0' && c <= U'9'; };
  const bool before = at > 0 && is_digit(shown[at - 1]);
  const bool after = at + typed.size() < shown.size() && is_digit(shown[at + typed.size()]);
  return !before && !after;
}

bool is_as_typed(const TextContent& now, const Element& field, const std::u32string& typed) {
  if (!now.text) return now.length == typed.size() || now.length == utf16_length(typed);
  const auto decoded = decode_utf8(*now.text);
  if (!decoded) return false;
  const std::u32string shown = plain(*decoded);
  if (shown == typed) return true;
  const bool cut = shown.size() >= kMaxElementText && now.length == typed.size();
  if (cut) return typed.starts_with(shown);
  return field.role == contract::role("spin button") && !typed.empty() && shows_as_value(shown, typed);
}

// Whether the content is the typed text and, selected behind it, what the application proposes as its end.
bool has_completion(const TextContent& now, const std::u32string& typed) {
  if (!now.text || !now.selected || now.selected->first != typed.size() || now.selected->count == 0) return false;
  const auto decoded = decode_utf8(*now.text);
  return decoded && typed.size() + now.selected->count == now.length && plain(*decoded).starts_with(typed);
}

}  // namespace

bool is_single_line_field(const Element& element) {
  using contract::role;
  constexpr std::array kRoles{role("text"),      role("entry"),    role("password text"), role("spin button"),
                              role("combo box"), role("edit bar"), role("autocomplete")};
  return element.has(ElementState::kEditable) && !element.has(ElementState::kMultiLine) &&
         std::ranges::find(kRoles, element.role) != kRoles.end();
}

Result<Proof> select_field_content(Desktop& desktop, const Element& field, const Checkpoint& checkpoint,
                                   const Clock& clock) {
  RETURN_IF_ERROR(press(desktop, {"ctrl", "a"}, checkpoint));
  const auto now = await_content(desktop, field, kSelectTimeout, clock, is_all_selected);
  const bool untold = now ? !now->selected && now->length > 0 : now.error().code == Code::kUnimplemented;
  if (untold) {
    // Home and shift+end do the same where ctrl+a has selected already.
    RETURN_IF_ERROR(select_line(desktop, checkpoint));
    return Proof::kUnknown;
  }
  if (!now) return Proof::kUnknown;
  if (is_all_selected(*now)) return Proof::kHolds;
  if (desktop.ui_tree().select_content(field.handle, clock.now() + kAnswerTimeout) &&
      becomes_all_selected(desktop, field, clock)) {
    return Proof::kHolds;
  }
  RETURN_IF_ERROR(select_line(desktop, checkpoint));
  return becomes_all_selected(desktop, field, clock) ? Proof::kHolds : Proof::kContradicted;
}

Proof is_content_selected(Desktop& desktop, const Element& field, const Clock& clock) {
  const auto now = ask_content(desktop, field, clock);
  if (!now || (!now->selected && now->length > 0)) return Proof::kUnknown;
  return is_all_selected(*now) ? Proof::kHolds : Proof::kContradicted;
}

Result<Proof> await_typed_content(Desktop& desktop, const Element& field, std::u32string_view typed,
                                  const Checkpoint& checkpoint, const Clock& clock) {
  const std::u32string wanted = plain(std::u32string(typed));
  const auto is_settled = [&](const TextContent& now) {
    return is_as_typed(now, field, wanted) || has_completion(now, wanted);
  };
  auto now = await_content(desktop, field, kContentTimeout, clock, is_settled);
  if (now && has_completion(*now, wanted)) {
    RETURN_IF_ERROR(press(desktop, {"delete"}, checkpoint));
    now = await_content(desktop, field, kContentTimeout, clock, is_settled);
  }
  if (!now) return Proof::kUnknown;
  return is_as_typed(*now, field, wanted) ? Proof::kHolds : Proof::kContradicted;
}

}  // namespace da::actuator
