#include "services/planner/plain/sentence_steps.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "lib/base/text.h"
#include "services/planner/plain/close_wait.h"
#include "services/planner/plain/key_readiness.h"
#include "services/planner/plain/language/actions.h"
#include "services/planner/plain/scrolling.h"
#include "services/planner/tools/launch_wait.h"

namespace da::planner::plain {
namespace {

// The call for a target that is not located yet; empty if no call takes a description (double-click, scroll, drag).
v1::Action action_by_description(const Command& command) {
  const auto* click = std::get_if<Click>(&command);
  const bool plain_click = click == nullptr || (click->kind == ClickKind::kSingle && click->modifiers.empty());
  if (is_any_of<Scroll, Drag, Hover>(command) || !plain_click) return {};
  return draft_action(command);
}

Point point_of(const v1::Rect& bounds) {
  const v1::Point center = center_of(bounds);
  return {center.x(), center.y()};
}

// True if the next sentence may rely on the command's effect.
bool must_have_effect(const Command& command) {
  return is_any_of<FocusWindow, CloseWindow, TerminateApp, DeleteFile, TypeText, PasteText, Click>(command);
}

Milliseconds to_milliseconds(double seconds) {
  return std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(seconds));
}

Milliseconds target_wait(const Sentence& sentence, Patience patience) {
  if (patience == Patience::kNow) return Milliseconds(0);
  if (sentence.optional.left == 0) return kTargetWait;
  return to_milliseconds(sentence.optional.within);
}

}  // namespace

bool names_field(const Command& command) {
  const auto* type = std::get_if<TypeText>(&command);
  return type != nullptr && type->field.has_value();
}

std::uint32_t phases_of(const Command& command) {
  if (names_field(command)) return FieldTyping::kPhases;
  if (std::holds_alternative<Select>(command)) return 3;
  if (std::holds_alternative<SetValue>(command)) return ValueSetting::kPhases;
  if (const auto* rows = std::get_if<SelectRows>(&command)) return static_cast<std::uint32_t>(rows->rows.size());
  if (const auto* wait = std::get_if<WaitSeconds>(&command)) {
    return std::max(1u, static_cast<std::uint32_t>(std::ceil(wait->seconds / kMaxSleepSeconds)));
  }
  return 1;
}

// Builds the step of one phase, with one overload for each command.
struct SentenceSteps::Propose {
  SentenceSteps& steps;
  const Sentence& sentence;
  std::uint32_t phase;
  const v1::Observation& latest;
  Milliseconds wait;  // Timeout for a target.

  static Proposed step(v1::Action action, std::string target = {}) {
    return std::optional(Proposal{std::move(action), {}, false, std::move(target)});
  }
  // A step at a place in the picture of the last search.
  Proposed step_at_place(v1::Action action, std::string target = {}) const {
    return std::optional(
        Proposal{.action = std::move(action), .target = std::move(target), .frame_id = steps.view_.last_found_frame()});
  }
  Proposed click(const v1::Candidate& found, ClickKind kind = ClickKind::kSingle,
                 const std::vector<std::string>& held = {}) const {
    return std::optional(Proposal{.action = ui_click(found.node().element_id(), kind, held),
                                  .target = name_candidate(found, latest.windows()),
                                  .row = found.row()});
  }
  Proposed draft() const { return step(draft_action(sentence.command)); }

  Proposed operator()(const OpenApp&) const { return draft(); }
  Proposed operator()(const FocusWindow& c) const { return on_window(c.title); }
  Proposed operator()(const CloseWindow& c) const { return on_window(c.title); }
  Proposed operator()(const TerminateApp& c) const { return on_window(c.title); }
  Proposed operator()(const DeleteFile&) const { return draft(); }
  // PlainPlanner handles these.
  Proposed operator()(const If&) const { return std::optional<Proposal>(); }
  Proposed operator()(const While&) const { return std::optional<Proposal>(); }
  Proposed operator()(const EndWhile&) const { return std::optional<Proposal>(); }
  Proposed operator()(const Copy&) const { return std::optional<Proposal>(); }
  Proposed operator()(const WaitUntil&) const { return std::optional<Proposal>(); }

  Proposed operator()(const Hover& c) const {
    const auto* name = std::get_if<std::string>(&c.target);
    if (name == nullptr) return draft();
    ASSIGN_OR_RETURN(const auto found, steps.view_.find_one(*name, v1::ACTIONABLE_HOVERABLE, Ocr::kWith, wait));
    RETURN_IF_ERROR(must_be_in_sight(found));
    return step(move_pointer(point_of(found.bounds())), name_candidate(found, latest.windows()));
  }

  Proposed operator()(const SetValue& c) const {
    return steps.setting_.propose(c, phase, steps.view_, wait, latest.windows());
  }

  Proposed operator()(const SelectRows& c) const {
    const std::string& row = c.rows[phase];
    ASSIGN_OR_RETURN(const auto found, steps.view_.find_one(row, v1::ACTIONABLE_ENABLED, Ocr::kWithout, wait));
    const std::vector<std::string> held = phase == 0 ? std::vector<std::string>() : std::vector<std::string>{"ctrl"};
    return click(found, ClickKind::kSingle, held);
  }

  Proposed operator()(const Drag& c) const {
    const bool named = std::holds_alternative<std::string>(c.from);
    if (c.by) {
      ASSIGN_OR_RETURN(const Point from, place_of(c.from, wait));
      auto action = drag(from, {from.x + c.by->x, from.y + c.by->y});
      return named ? step_at_place(std::move(action)) : step(std::move(action));
    }
    ASSIGN_OR_RETURN(const auto ends, ends_of(c));
    const auto& [from, to] = ends;
    return named || std::holds_alternative<std::string>(c.to) ? step_at_place(drag(from, to)) : step(drag(from, to));
  }

  Proposed operator()(const Select& c) const {
    Choice& choice = steps.choice_;
    if (phase == 0) return choice.open_list(c, steps.view_, wait);
    return phase == 1 ? choice.open_list_by_keys(c, steps.view_) : choice.pick_item(c, steps.view_, wait);
  }
  Proposed operator()(const WaitForText&) const { return draft(); }
  Proposed operator()(const Check&) const { return draft(); }

  Proposed operator()(const WaitSeconds& c) const { return step(sleep(c.seconds - kMaxSleepSeconds * phase)); }

  Proposed operator()(const TypeText& c) const {
    FieldTyping& typing = steps.typing_;
    if (c.field && phase == 0) return typing.focus(*c.field, wait, latest);
    const bool by_sight = c.field && typing.is_by_sight();
    if (!c.field || by_sight || steps.patience_ == Patience::kNow) {
      if (c.field && phase == 1) return std::optional<Proposal>();
      RETURN_IF_ERROR(rest(Focus::kNeeded));
      return std::optional(Proposal{.action = write(c.text), .keys_to_window = by_sight ? typing.window() : ""});
    }
    if (phase == 1) return typing.select_content(*c.field, latest);
    RETURN_IF_ERROR(typing.check_focus(*c.field, latest));
    if (!typing.reports_focus()) RETURN_IF_ERROR(rest(Focus::kNeeded));
    return typing.write(c.text);
  }

  Proposed operator()(const PasteText&) const {
    RETURN_IF_ERROR(rest(Focus::kNeeded));
    return draft();
  }

  Proposed operator()(const PressKeys& c) const {
    RETURN_IF_ERROR(rest(Focus::kOptional));
    const bool waits = steps.patience_ == Patience::kWait && latest.has_focused_window();
    if (waits && c.keys.size() == 1 && c.keys.front() == "enter") {
      RETURN_IF_ERROR(await_default_button(steps.view_, latest.focused_window()));
    }
    return draft();
  }

  Proposed operator()(const Click& c) const {
    const auto* name = std::get_if<std::string>(&c.target);
    if (name == nullptr) return draft();
    ASSIGN_OR_RETURN(const auto found, steps.view_.find_one(*name, v1::ACTIONABLE_ENABLED, Ocr::kWith, wait));
    if (found.source() == v1::Candidate::SOURCE_UI_TREE) return click(found, c.kind, c.modifiers);
    return step_at_place(mouse_click(c.kind, point_of(found.bounds()), c.modifiers),
                         name_candidate(found, latest.windows()));
  }

  Proposed operator()(const Scroll& c) const {
    if (!c.target) {
      if (!latest.has_focused_window()) return step(scroll({latest.cursor().x(), latest.cursor().y()}, c.notches_down));
      ASSIGN_OR_RETURN(const Point at, place_to_scroll(steps.view_, latest));
      return step(scroll(at, c.notches_down));
    }
    const auto* name = std::get_if<std::string>(&*c.target);
    if (name == nullptr) return draft();
    ASSIGN_OR_RETURN(const auto found, steps.view_.find_one(*name, v1::ACTIONABLE_SCROLLABLE, Ocr::kWith, wait));
    ASSIGN_OR_RETURN(const Point at, place_to_scroll(steps.view_, found));
    return step(scroll(at, c.notches_down), name_candidate(found, latest.windows()));
  }

  // Both at one time: while the end is waited for, a list may grow and move the begin.
  Result<std::pair<Point, Point>> ends_of(const Drag& c) const {
    constexpr int kMostTries = 4;
    constexpr Milliseconds kAgain{1'000};
    std::optional<std::pair<Point, Point>> before;
    for (int i = 0; i < kMostTries; ++i) {
      const Milliseconds longest = before ? std::min(kAgain, wait) : wait;
      ASSIGN_OR_RETURN(const Point from, place_of(c.from, longest));
      ASSIGN_OR_RETURN(const Point to, place_of(c.to, longest));
      const std::pair ends(from, to);
      const bool both_named = std::holds_alternative<std::string>(c.from) && std::holds_alternative<std::string>(c.to);
      if (!both_named || before == ends) return ends;
      before = ends;
    }
    return Error{Code::kFailedPrecondition, "one end of the drag keeps moving, so nothing was dragged"};
  }

  Result<Point> place_of(const Target& target, Milliseconds longest) const {
    if (const Point* at = std::get_if<Point>(&target)) return *at;
    ASSIGN_OR_RETURN(const auto found,
                     steps.view_.find_one(std::get<std::string>(target), v1::ACTIONABLE_ENABLED, Ocr::kWith, longest));
    RETURN_IF_ERROR(must_be_in_sight(found));
    return point_of(found.bounds());
  }

  static Result<void> must_be_in_sight(const v1::Candidate& found) {
    if (!has_state(found.node(), v1::UI_STATE_SCROLLED_OUT)) return ok();
    return Error{Code::kFailedPrecondition,
                 describe_candidate(found) + " is scrolled out of sight: scroll to it first"};
  }

  Proposed on_window(const std::string& title) const {
    ASSIGN_OR_RETURN(const auto window, steps.view_.await_window(title, wait));
    if (std::holds_alternative<FocusWindow>(sentence.command)) steps.focused_window_ = window.window_id();
    if (std::holds_alternative<CloseWindow>(sentence.command)) steps.closed_window_ = window;
    return draft();
  }

  Result<void> rest(Focus focus) const {
    if (steps.patience_ == Patience::kNow) return ok();
    v1::Observation seen = latest;
    // Without a focused application, wait for the whole screen to settle.
    const View view = seen.has_focused_window() ? View::kSettledApplication : View::kSettledScreen;
    if (!seen.settled() || view == View::kSettledScreen) {
      ASSIGN_OR_RETURN(seen, steps.view_.look(Picture::kNone, kSettleWait, view));
    }
    ASSIGN_OR_RETURN(const auto now, await_rest(steps.view_, seen, focus));
    const v1::Window& window = now.focused_window();
    if (focus == Focus::kOptional || !steps.typed_into_.insert(window.window_id()).second) return ok();
    return await_focused_element(steps.view_, window);
  }
};

Proposed SentenceSteps::propose(const Sentence& sentence, std::uint32_t phase, const v1::Observation& latest,
                                std::optional<Milliseconds> longest) {
  const Milliseconds wait = std::min(target_wait(sentence, patience_), longest.value_or(Milliseconds::max()));
  Proposed proposal = std::visit(Propose{*this, sentence, phase, latest, wait}, sentence.command);
  if (!proposal && patience_ == Patience::kNow && !is_lost_or_cancelled(proposal.error())) {
    proposal = std::optional(Proposal{action_by_description(sentence.command),
                                      "cannot be judged before its target shows: " + proposal.error().message, true});
  }
  if (!proposal || !*proposal) return proposal;
  before_ = latest;
  if (is_any_of<TypeText, PasteText, PressKeys>(sentence.command)) {
    if ((*proposal)->keys_to_window.empty() && !names_field(sentence.command)) {
      (*proposal)->keys_to_window = focused_window_;
    }
  }
  return proposal;
}

Result<Proof> SentenceSteps::verify(const Sentence& sentence, std::uint32_t phase, EventKind outcome) {
  const Command& command = sentence.command;
  const bool last_phase = phase + 1 == phases_of(command);
  const bool leaves_focus = is_any_of<FocusWindow, WaitSeconds, WaitForText, WaitUntil, Check>(command);
  if (!leaves_focus) focused_window_.clear();
  if (names_field(command)) return typing_.verify(std::get<TypeText>(command), phase, outcome);
  if (outcome == EventKind::kNoEffect && must_have_effect(command) && last_phase) {
    return Error{Code::kFailedPrecondition, "it was carried out, but had no effect"};
  }
  if (const auto* open = std::get_if<OpenApp>(&command)) {
    Launched launched{.command = open->command};
    if (open->within) launched.within = to_milliseconds(*open->within);
    return await_launched_window(view_, before_, launched);
  }
  if (std::holds_alternative<CloseWindow>(command)) {
    if (outcome == EventKind::kConfirmed) return Proof::kByOutcome;
    ASSIGN_OR_RETURN(remark_, await_closed(view_, before_, closed_window_));
    return remark_.empty() ? Proof::kSeen : Proof::kByOutcome;
  }
  if (const auto* select = std::get_if<Select>(&command); select != nullptr && last_phase) {
    return choice_.verify(*select, view_);
  }
  if (const auto* select = std::get_if<SelectRows>(&command); select != nullptr && last_phase) {
    return verify_rows(*select);
  }
  return last_phase ? Proof::kByOutcome : Proof::kLater;
}

// Rows that do not tell whether they are selected cannot be checked.
Result<Proof> SentenceSteps::verify_rows(const SelectRows& select) {
  constexpr Milliseconds kRowsWait{3'000};
  std::string missing;
  bool all_tell = true;
  const auto all_selected = [&](const v1::Observation&) -> Result<bool> {
    all_tell = true;
    for (const std::string& row : select.rows) {
      ASSIGN_OR_RETURN(const auto found, view_.find_one(row, v1::ACTIONABLE_ENABLED, Ocr::kWithout, Milliseconds(0)));
      const bool selected = has_state(found.node(), v1::UI_STATE_SELECTED);
      if (selected) continue;
      if (!has_state(found.node(), v1::UI_STATE_SELECTABLE)) {
        all_tell = false;
        continue;
      }
      missing = describe_candidate(found);
      return false;
    }
    return true;
  };
  ASSIGN_OR_RETURN(const bool selected, view_.look_until(all_selected, kRowsWait));
  if (selected) return all_tell ? Proof::kSeen : Proof::kByOutcome;
  return Error{Code::kFailedPrecondition, missing + " was clicked, but is not selected"};
}

}  // namespace da::planner::plain
