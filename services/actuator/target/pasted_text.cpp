#include "services/actuator/target/pasted_text.h"

#include <algorithm>

#include "lib/contract/evidence/roles.h"
#include "services/actuator/outcomes.h"
#include "services/actuator/target/field_content.h"
#include "services/actuator/target/shown_text.h"

namespace da::actuator {
namespace {

using contract::role;

constexpr Milliseconds kShowsText{500};
constexpr Milliseconds kBetweenReads{20};
constexpr int kMostPasteReads = 30;  // Ends the loop even if the clock stands still.

enum class Shown { kText, kAsBefore, kAnother, kUntold };

Shown await_text(Desktop& desktop, const Element& field, const std::string& text, const Clock& clock) {
  const std::string wanted = without_space(text);
  if (field.has(ElementState::kPassword) || is_cut(field) || wanted.empty()) return Shown::kUntold;
  const std::size_t before = occurrences(without_space(field.text), wanted);
  const MonoTime deadline = clock.now() + kShowsText;
  for (int looks = 1;; ++looks) {
    const auto now = desktop.ui_tree().refresh(field.handle, clock.now() + kShowsText);
    if (!now || is_cut(*now)) return Shown::kUntold;
    const std::string has = without_space(now->text);
    if (has == wanted || occurrences(has, wanted) > before) return Shown::kText;
    if (looks >= kMostPasteReads || clock.now() >= deadline) {
      if (now->text != field.text) return Shown::kAnother;
      // Some editors do not tell what they contain.
      const bool tells_nothing = now->text.empty() && now->has(ElementState::kMultiLine);
      return tells_nothing ? Shown::kUntold : Shown::kAsBefore;
    }
    (void)desktop.screen().wait_quiet(kBetweenReads, std::min(deadline, clock.now() + kBetweenReads));
  }
}

}  // namespace

v1::Outcome outcome_of_paste(Desktop& desktop, const ActionTarget& target, const std::string& text,
                             const Clock& clock) {
  const std::string took = "the application took the clipboard text";
  if (!target.focused || target.focused->role == role("terminal")) {
    return outcome_of(v1::Outcome::KIND_CONFIRMED, took);
  }
  if (!target.focused->has(ElementState::kEditable)) {
    return outcome_of(v1::Outcome::KIND_DISPATCHED, took + ", but what has the focus cannot be edited");
  }
  switch (await_text(desktop, *target.focused, text, clock)) {
    case Shown::kText:
    case Shown::kUntold: return outcome_of(v1::Outcome::KIND_CONFIRMED, took);
    case Shown::kAnother: return outcome_of(v1::Outcome::KIND_DISPATCHED, took + ", but its field shows another text");
    case Shown::kAsBefore: break;
  }
  const bool is_field = is_single_line_field(*target.focused);
  return outcome_of(is_field ? v1::Outcome::KIND_NO_EFFECT : v1::Outcome::KIND_DISPATCHED,
                    took + ", but its field is as before");
}

}  // namespace da::actuator
