#include "services/planner/plain/field_typing.h"

#include <algorithm>

#include "lib/base/text.h"
#include "services/planner/plain/language/actions.h"
#include "services/planner/tools/field_focus.h"

namespace da::planner::plain {
namespace {

constexpr Milliseconds kFieldShowsText{1'500};
constexpr Milliseconds kTextShows{3'000};

// A field whose content the typed text replaces, and that shows nothing beside it.
bool is_replaced(const v1::UiNode& field) {
  return !has_state(field, v1::UI_STATE_MULTI_LINE) && (field.role() == "text" || field.role() == "entry");
}

// Browsers show typed blanks as no-break spaces.
std::string with_plain_blanks(std::string text) {
  constexpr std::string_view kNoBreakSpace = "\u00a0";
  for (auto at = text.find(kNoBreakSpace); at != std::string::npos; at = text.find(kNoBreakSpace, at + 1)) {
    text.replace(at, kNoBreakSpace.size(), " ");
  }
  return text;
}

// Returns what a field has after the text has replaced its content, without a tab at the end. nullopt: it
// is unknown, because of other keys (enter may send or complete it), of a secret, or because a longer text is cut.
std::optional<std::string> content_of(const std::string& text) {
  constexpr std::size_t kLongest = 500;
  const auto end = std::min(text.size(), text.find_first_of("\n\t"));
  const bool has_keys = end + 1 < text.size() || text.ends_with('\n');
  if (text.size() > kLongest || has_keys || text.find("{{") != std::string::npos) return std::nullopt;
  return with_plain_blanks(text.substr(0, end));
}

// A field that was found in the picture. Three clicks select its content, so that the text replaces it.
v1::Action select_in_box(const v1::Candidate& box) {
  const v1::Point center = center_of(box.bounds());
  v1::Action action = mouse_click(ClickKind::kSingle, {center.x(), center.y()}, {});
  action.mutable_mouse()->set_clicks(3);
  return action;
}

}  // namespace

Proposed FieldTyping::focus(const std::string& field, Milliseconds wait, const v1::Observation& latest) {
  ASSIGN_OR_RETURN(const auto found, view_.find_one(field, v1::ACTIONABLE_EDITABLE, Ocr::kWith, wait));
  field_ = found.node();
  is_current_ = true;
  reports_focus_ = true;
  is_box_ = found.source() != v1::Candidate::SOURCE_UI_TREE;
  const std::string name = name_candidate(found, latest.windows());
  if (is_box_) {
    box_window_ = latest.focused_window().window_id();
    return std::optional(
        Proposal{.action = select_in_box(found), .target = name, .frame_id = view_.last_found_frame()});
  }
  if (has_state(field_, v1::UI_STATE_FOCUSED)) return std::optional<Proposal>();
  return std::optional(
      Proposal{.action = ui_click(field_.element_id(), ClickKind::kSingle, {}), .target = name, .row = found.row()});
}

// A field that was seen before the last step is read again.
Result<void> FieldTyping::check_focus(const std::string& field, const v1::Observation& latest) {
  if (is_current_ && has_state(field_, v1::UI_STATE_FOCUSED)) return ok();
  ASSIGN_OR_RETURN(const FieldFocus focus, await_field_focus(view_, field, field_));
  field_ = focus.field;
  is_current_ = true;
  reports_focus_ = focus.state == FieldFocus::State::kFocused;
  const bool in_window = latest.focused_window().window_id() == field_.window_id();
  if (reports_focus_ || (focus.state == FieldFocus::State::kUnreported && in_window)) return ok();
  const std::string other = !focus.elsewhere.empty() ? focus.elsewhere
                            : in_window || !latest.has_focused_window()
                                ? ""
                                : "the window " + quote_foreign(latest.focused_window().title(), 80);
  return Error{Code::kFailedPrecondition, describe_target(field) + " did not get the keyboard focus" +
                                              (other.empty() ? "" : ", which " + other + " has") +
                                              ", so nothing was typed"};
}

// GTK selects only a part of a file name. The text of a password, and of a field that a secret was typed into, is not
// told.
Proposed FieldTyping::select_content(const std::string& field, const v1::Observation& latest) {
  RETURN_IF_ERROR(check_focus(field, latest));
  if (has_state(field_, v1::UI_STATE_MULTI_LINE)) return std::optional<Proposal>();
  const bool may_have_text =
      !field_.text().empty() || has_state(field_, v1::UI_STATE_PASSWORD) || typed_.contains(field_.element_id());
  if (!may_have_text) return std::optional<Proposal>();
  return keys(press({"ctrl", "a"}));
}

Proposed FieldTyping::write(const std::string& text) {
  typed_.insert(field_.element_id());
  return keys(plain::write(text));
}

Proposed FieldTyping::keys(v1::Action action) const {
  return std::optional(Proposal{.action = std::move(action), .keys_to_window = field_.window_id()});
}

Result<Proof> FieldTyping::verify(const TypeText& type, std::uint32_t phase, EventKind outcome) {
  if (outcome == EventKind::kNoEffect && phase == 1) {
    return Error{Code::kFailedPrecondition,
                 "the content of " + describe_target(*type.field) + " could not be selected, so nothing was typed"};
  }
  if (phase != 2) return Proof::kLater;
  if (is_box_ && outcome == EventKind::kDispatched) {
    return Error{Code::kFailedPrecondition,
                 "the keys were sent, but " + describe_target(*type.field) + " shows nothing of them"};
  }
  if (!reports_focus_ && outcome != EventKind::kNoEffect) return verify_content(type.text);
  const auto wished = content_of(type.text);
  std::string has;  // Empty: not told.
  const auto holds = [&](const v1::Observation&) -> Result<bool> {
    const auto read = view_.element(field_.element_id());
    if (!read && is_lost_or_cancelled(read.error())) return read.error();
    if (!read || !*read) return true;  // The text may have closed its window.
    const v1::UiNode& now = **read;
    has = with_plain_blanks(now.text());
    return has.empty() || !is_replaced(now) || !wished || has == *wished;
  };
  const Milliseconds wait = outcome == EventKind::kNoEffect ? Milliseconds(0) : kFieldShowsText;
  ASSIGN_OR_RETURN(const bool held, view_.look_until(holds, wait, View::kState));
  // It was there before the field or its program changed it: a completed word, a date in another form.
  if (outcome == EventKind::kConfirmed) return held ? Proof::kByOutcome : Proof::kNone;
  if (held && outcome != EventKind::kNoEffect) return has == type.text ? Proof::kSeen : Proof::kByOutcome;
  return Error{Code::kFailedPrecondition, "the text was typed, but " + describe_target(*type.field) + " has " +
                                              (has.empty() ? "another content" : quote_foreign(has, 200))};
}

// The proof for a toolkit that reports no focus. A password field shows no text, so it has none.
Result<Proof> FieldTyping::verify_content(const std::string& text) {
  const auto has = [&](const v1::Observation&) -> Result<bool> {
    ASSIGN_OR_RETURN(const auto now, view_.element(field_.element_id()));
    if (!now) return false;
    const auto wished = content_of(text);
    const std::string shown = with_plain_blanks(now->text());
    return is_replaced(*now) && wished ? shown == *wished : shown.find(text) != std::string::npos;
  };
  ASSIGN_OR_RETURN(const bool arrived, view_.look_until(has, kTextShows, View::kState));
  if (arrived) return Proof::kSeen;
  return Error{Code::kFailedPrecondition,
               "the text was typed, but its field does not report the keyboard focus and does not show the text"};
}

}  // namespace da::planner::plain
