#include "services/planner/plain/plain_planner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "lib/base/text.h"
#include "services/planner/plain/actions.h"
#include "services/planner/plain/key_readiness.h"
#include "services/planner/plain/window_wait.h"
#include "services/planner/tools/planner_tools.h"

namespace da::planner::plain {
namespace {

template <class... Kinds>
bool is_any_of(const Command& command) {
  return (std::holds_alternative<Kinds>(command) || ...);
}

bool names_field(const Command& command) {
  const auto* type = std::get_if<TypeText>(&command);
  return type != nullptr && type->field.has_value();
}

std::uint32_t phases_of(const Command& command) {
  if (names_field(command)) return 3;
  if (std::holds_alternative<Select>(command)) return 2;
  if (const auto* wait = std::get_if<WaitSeconds>(&command)) {
    return std::max(1u, static_cast<std::uint32_t>(std::ceil(wait->seconds / kMaxSleepSeconds)));
  }
  return 1;
}

// The call for a target that is not located yet; empty if no call takes a description (double-click, scroll, drag).
v1::Action action_by_description(const Command& command) {
  const auto* click = std::get_if<Click>(&command);
  if (is_any_of<Scroll, Drag>(command) || (click != nullptr && click->kind != ClickKind::kSingle)) return {};
  return draft_action(command);
}

Point point_of(const v1::Rect& bounds) {
  const v1::Point center = center_of(bounds);
  return {center.x(), center.y()};
}

// True if the command locates its target by name, and waits until it has settled.
bool finds_its_target(const Command& command) {
  if (const auto* click = std::get_if<Click>(&command)) return std::holds_alternative<std::string>(click->target);
  if (const auto* scroll = std::get_if<Scroll>(&command)) {
    return scroll->target && std::holds_alternative<std::string>(*scroll->target);
  }
  return names_field(command) ||
         is_any_of<Select, If, FocusWindow, CloseWindow, TerminateApp, Check, WaitForText, OpenApp>(command);
}

// True if the command sends keys to the focused application.
bool sends_keys(const Command& command) { return is_any_of<TypeText, PasteText, PressKeys>(command); }

// True if the next sentence may rely on the command's effect.
bool must_have_effect(const Command& command) {
  return is_any_of<FocusWindow, CloseWindow, TerminateApp, DeleteFile, TypeText, PasteText, Click>(command);
}

Milliseconds milliseconds(double seconds) {
  return std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace

// Builds the step of the current phase, with one overload for each command.
struct PlainPlanner::Propose {
  PlainPlanner& planner;
  const v1::Observation& latest;

  static Proposed step(v1::Action action, std::string target = {}) {
    return std::optional(Proposal{std::move(action), {}, false, std::move(target)});
  }
  Proposed draft() const { return step(draft_action(planner.sentence().command)); }

  Proposed operator()(const OpenApp&) const { return draft(); }
  Proposed operator()(const FocusWindow& c) const { return on_window(c.title); }
  Proposed operator()(const CloseWindow& c) const { return on_window(c.title); }
  Proposed operator()(const TerminateApp& c) const { return on_window(c.title); }
  Proposed operator()(const DeleteFile&) const { return draft(); }
  Proposed operator()(const If&) const { return std::optional<Proposal>(); }  // decide() handles it.

  Proposed operator()(const Drag& c) const {
    ASSIGN_OR_RETURN(const Point from, place_of(c.from));
    ASSIGN_OR_RETURN(const Point to, place_of(c.to));
    return step(drag(from, to));
  }

  Proposed operator()(const Select& c) const {
    Choice& choice = planner.choice_;
    return planner.phase_ == 0 ? choice.open_list(c, planner.view_, planner.target_wait())
                               : choice.pick_item(c, planner.view_, planner.target_wait());
  }
  Proposed operator()(const WaitForText&) const { return draft(); }
  Proposed operator()(const Check&) const { return draft(); }

  Proposed operator()(const WaitSeconds& c) const { return step(sleep(c.seconds - kMaxSleepSeconds * planner.phase_)); }

  Proposed operator()(const TypeText& c) const {
    if (c.field && planner.phase_ == 0) return focus_field(*c.field);
    std::optional<v1::UiNode> focused;
    if (c.field && planner.patience_ == Patience::kWait) {
      ASSIGN_OR_RETURN(focused, focused_field(*c.field));
    }
    if (c.field && planner.phase_ == 1) return select_content(focused);
    if (!focused) RETURN_IF_ERROR(rest(Focus::kNeeded));
    return step(write(c.text));
  }

  Proposed operator()(const PasteText&) const {
    RETURN_IF_ERROR(rest(Focus::kNeeded));
    return draft();
  }

  Proposed operator()(const PressKeys& c) const {
    RETURN_IF_ERROR(rest(Focus::kOptional));
    const bool waits = planner.patience_ == Patience::kWait && latest.has_focused_window();
    if (waits && c.keys.size() == 1 && c.keys.front() == "enter") {
      RETURN_IF_ERROR(await_default_button(planner.view_, latest.focused_window()));
    }
    return draft();
  }

  Proposed operator()(const Click& c) const {
    const auto* name = std::get_if<std::string>(&c.target);
    if (name == nullptr) return draft();
    ASSIGN_OR_RETURN(const auto found,
                     planner.view_.find_one(*name, v1::ACTIONABLE_ENABLED, Ocr::kWith, planner.target_wait()));
    const bool by_element = found.source() == v1::Candidate::SOURCE_UI_TREE;
    return step(
        by_element ? ui_click(found.node().element_id(), c.kind) : mouse_click(c.kind, point_of(found.bounds())),
        name_candidate(found, latest.windows()));
  }

  Proposed operator()(const Scroll& c) const {
    if (!c.target) {
      const bool focused = latest.has_focused_window();
      const Point at =
          focused ? point_of(latest.focused_window().bounds()) : Point{latest.cursor().x(), latest.cursor().y()};
      return step(scroll(at, c.notches_down));
    }
    const auto* name = std::get_if<std::string>(&*c.target);
    if (name == nullptr) return draft();
    ASSIGN_OR_RETURN(const auto found,
                     planner.view_.find_one(*name, v1::ACTIONABLE_SCROLLABLE, Ocr::kWith, planner.target_wait()));
    return step(scroll(point_of(found.bounds()), c.notches_down), name_candidate(found, latest.windows()));
  }

  Result<Point> place_of(const Target& target) const {
    if (const Point* at = std::get_if<Point>(&target)) return *at;
    ASSIGN_OR_RETURN(const auto found, planner.view_.find_one(std::get<std::string>(target), v1::ACTIONABLE_ENABLED,
                                                              Ocr::kWith, planner.target_wait()));
    if (has_state(found.node(), v1::UI_STATE_SCROLLED_OUT)) {
      return Error{Code::kFailedPrecondition,
                   describe_candidate(found) + " is scrolled out of sight: scroll to it first"};
    }
    return point_of(found.bounds());
  }

  // Does not click a focused field: its selection stays, and the text replaces it.
  Proposed focus_field(const std::string& field) const {
    ASSIGN_OR_RETURN(const auto found,
                     planner.view_.find_one(field, v1::ACTIONABLE_EDITABLE, Ocr::kWithout, planner.target_wait()));
    planner.field_ = found.node();
    planner.field_is_current_ = true;
    if (has_state(found.node(), v1::UI_STATE_FOCUSED)) return std::optional<Proposal>();
    return step(ui_click(found.node().element_id()), name_candidate(found, latest.windows()));
  }

  // nullopt if the field does not get the focus. A field that was seen before the last step is read again.
  Result<std::optional<v1::UiNode>> focused_field(const std::string& field) const {
    if (!planner.field_is_current_ || !has_state(planner.field_, v1::UI_STATE_FOCUSED)) {
      ASSIGN_OR_RETURN(const auto seen, await_field_focus(planner.view_, field, planner.field_.element_id()));
      if (!seen) return seen;
      planner.field_ = *seen;
      planner.field_is_current_ = true;
    }
    return std::optional(planner.field_);
  }

  // Selects the content of a one-line field, so that the text replaces it. GTK selects only a part of a file name.
  static Proposed select_content(const std::optional<v1::UiNode>& field) {
    if (!field || field->text().empty() || has_state(*field, v1::UI_STATE_MULTI_LINE)) return std::optional<Proposal>();
    return step(press({"ctrl", "a"}));
  }

  Proposed on_window(const std::string& title) const {
    ASSIGN_OR_RETURN([[maybe_unused]] const auto window, planner.view_.await_window(title, planner.target_wait()));
    return draft();
  }

  Result<void> rest(Focus focus) const {
    if (planner.patience_ == Patience::kNow) return ok();
    v1::Observation seen = latest;
    // Without a focused application, wait for the whole screen to settle.
    const View view = seen.has_focused_window() ? View::kSettledApplication : View::kSettledScreen;
    if (!seen.settled() || view == View::kSettledScreen) {
      ASSIGN_OR_RETURN(seen, planner.view_.look(Picture::kNone, kSettleWait, view));
    }
    ASSIGN_OR_RETURN([[maybe_unused]] const auto now, await_rest(planner.view_, seen, focus));
    return ok();
  }
};

std::uint32_t turn_bound(const Goal& goal, std::uint32_t tries_per_step) {
  std::uint32_t phases = 0;
  for (const Sentence& sentence : goal) phases += phases_of(sentence.command);
  return phases * tries_per_step + 1;  // The last decision reports that the goal is done.
}

// May be too weak if the last proposal is repeated and sends keys; rest() then takes a settled look itself.
View PlainPlanner::wanted_view() const {
  if (patience_ == Patience::kNow) return View::kSettledScreen;
  const bool finished = proposed_ && (phase_ + 1 >= phases_of(sentence().command) || proposed_whole_);
  const std::size_t next = finished ? sentence_ + 1 : sentence_;
  if (next >= goal_.size()) return View::kSettledApplication;  // Before the last picture.
  if (finds_its_target(goal_[next].command)) return View::kState;
  // An application that starts may be idle in between, so wait for the whole screen.
  const bool opens = finished && std::holds_alternative<OpenApp>(sentence().command);
  return sends_keys(goal_[next].command) && !opens ? View::kSettledApplication : View::kSettledScreen;
}

std::uint32_t failure_bound(const Goal& goal) {
  const bool may_fail = std::ranges::any_of(goal, [](const Sentence& sentence) { return sentence.optional.left > 0; });
  return may_fail ? std::numeric_limits<std::uint32_t>::max() : 0;
}

Result<v1::Plan> PlainPlanner::decide(const v1::Observation& latest, Attempt attempt) {
  if (failed_) {
    // The message already names the step.
    if (sentence().optional.left == 0) return Error{Code::kFailedPrecondition, *failed_};
    skip_optional(*std::exchange(failed_, std::nullopt));
  } else if (attempt == Attempt::kNext && proposed_) {
    advance(proposed_whole_);
  }
  proposed_ = false;
  field_is_current_ = false;
  // The field may have lost the focus: begin with it again, which is harmless.
  const bool may_be_elsewhere = attempt == Attempt::kAgain || std::exchange(resumed_, false);
  if (may_be_elsewhere && sentence_ < goal_.size() && names_field(sentence().command)) phase_ = 0;
  while (sentence_ < goal_.size()) {
    if (const auto* condition = std::get_if<If>(&sentence().command)) {
      RETURN_IF_ERROR(pass(*condition));
      continue;
    }
    auto proposal = patience_ == Patience::kWait ? propose(latest) : propose_now(latest);
    if (!proposal && sentence().optional.left > 0 && !is_lost_or_cancelled(proposal.error())) {
      skip_optional(proposal.error().message);
      continue;
    }
    if (!proposal) return about_sentence(proposal.error());
    if (*proposal) return plan_of(**std::move(proposal), latest);
    advance(false);
  }
  v1::Plan plan;
  plan.set_frame_id(latest.frame_id());
  plan.set_done(summary());
  return plan;
}

// A dry run cannot evaluate a condition, so it assumes true; the plan names the condition.
Result<void> PlainPlanner::pass(const If& condition) {
  bool holds = true;
  if (patience_ == Patience::kWait) {
    const auto answer =
        answer_check(draft_action(condition.condition).check_element_property(), view_, milliseconds(condition.within));
    if (!answer) return about_sentence(answer.error());
    holds = answer->ok;
    remark((holds ? "because " : "left out the block of ") + escape_foreign(sentence().source, 80) +
           (holds ? ": " : ", for ") + answer->message);
  }
  const std::size_t left_out = holds ? 0 : condition.sentences;
  unmet_ += count_sentences(sentence_ + 1, left_out);
  sentence_ += 1 + left_out;
  return ok();
}

// Also skips the rest of the block, which assumes that the sentence succeeds.
void PlainPlanner::skip_optional(const std::string& why) {
  remark("left out " + escape_foreign(sentence().source, 80) + ", which is optional: " + why);
  optional_failed_ += count_sentences(sentence_, sentence().optional.left);
  sentence_ += sentence().optional.left;
  phase_ = 0;
}

// Does not count headers of blocks.
std::size_t PlainPlanner::count_sentences(std::size_t first, std::size_t count) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(std::span(goal_).subspan(first, count),
                            [](const Sentence& each) { return !std::holds_alternative<If>(each.command); }));
}

// For a dry run: the conditions around the current sentence; empty if there are none.
std::string PlainPlanner::conditions() const {
  std::string all;
  for (std::size_t i = 0; i < sentence_; ++i) {
    const auto* condition = std::get_if<If>(&goal_[i].command);
    if (condition == nullptr || i + condition->sentences < sentence_) continue;
    all += (all.empty() ? "only " : ", ") + escape_foreign(goal_[i].source, 80);
  }
  return all;
}

void PlainPlanner::remark(std::string text) {
  constexpr std::size_t kLongestRemarks = 1'000;  // A loop of skipped sentences would repeat itself.
  if (remarks_.size() > kLongestRemarks) return;
  if (!remarks_.empty()) remarks_ += "; ";
  remarks_ += std::move(text);
}

std::string PlainPlanner::summary() const {
  const std::size_t read = count_sentences(0, goal_.size()) - skipped_ - optional_failed_ - unmet_;
  const bool acted = patience_ == Patience::kWait;
  std::string done = std::to_string(read) + (read == 1 ? " sentence was " : " sentences were ") +
                     (acted ? "carried out" : "read; nothing was executed");
  if (skipped_ > 0) done += ", " + std::to_string(skipped_) + " left out by a person";
  if (unmet_ > 0) done += ", " + std::to_string(unmet_) + " left out by their condition";
  if (optional_failed_ > 0) done += ", " + std::to_string(optional_failed_) + " optional left out";
  return done;
}

Proposed PlainPlanner::propose(const v1::Observation& latest) {
  return std::visit(Propose{*this, latest}, sentence().command);
}

Proposed PlainPlanner::propose_now(const v1::Observation& latest) {
  auto proposal = propose(latest);
  if (proposal || is_lost_or_cancelled(proposal.error())) return proposal;
  return std::optional(Proposal{action_by_description(sentence().command),
                                "cannot be judged before its target shows: " + proposal.error().message, true});
}

Part PlainPlanner::part(Attempt attempt) const {
  std::size_t at = sentence_;
  const bool was_proposed = attempt == Attempt::kNext && proposed_ && at < goal_.size();
  if (was_proposed && (proposed_whole_ || phase_ + 1 >= phases_of(goal_[at].command))) ++at;
  if (at >= goal_.size()) return {};
  return {static_cast<std::uint32_t>(at + 1), static_cast<std::uint32_t>(goal_.size()), goal_[at].source};
}

v1::Plan PlainPlanner::plan_of(Proposal proposal, const v1::Observation& latest) {
  proposed_ = true;
  proposed_whole_ = awaits_target_ = proposal.awaits_target;
  before_ = latest;
  v1::Plan plan;
  plan.set_frame_id(latest.frame_id());
  v1::Step& step = *plan.add_steps();
  *step.mutable_action() = std::move(proposal.action);
  step.set_target(std::move(proposal.target));
  std::string why = "sentence " + std::to_string(sentence_ + 1) + " of " + std::to_string(goal_.size()) + ": " +
                    escape_foreign(sentence().source, 200);
  if (patience_ == Patience::kNow) {
    if (std::string all = conditions(); !all.empty()) remark(std::move(all));
  }
  if (!proposal.note.empty()) remark(proposal.note);
  if (!remarks_.empty()) why += " (" + std::exchange(remarks_, {}) + ")";
  step.set_justification(std::move(why));
  return plan;
}

void PlainPlanner::hear(const v1::Step&, const Event& event) {
  if (event.kind == EventKind::kRefused || event.kind == EventKind::kFailed) failed_ = event.text;
}

Result<void> PlainPlanner::verify(const v1::Step&, EventKind outcome) {
  if (outcome == EventKind::kSkipped) {
    // Skip the whole sentence: its text must not go to another field.
    proposed_whole_ = true;
    ++skipped_;
    return ok();
  }
  const auto verified = verify_effect(outcome);
  if (verified || is_lost_or_cancelled(verified.error())) return verified;
  if (sentence().optional.left == 0) return about_sentence(verified.error());
  failed_ = verified.error().message;
  return ok();
}

Result<void> PlainPlanner::verify_effect(EventKind outcome) {
  const Command& command = sentence().command;
  const bool last_phase = phase_ + 1 == phases_of(command);
  if (outcome == EventKind::kNoEffect && must_have_effect(command) && last_phase) {
    return Error{Code::kFailedPrecondition, "it was carried out, but had no effect"};
  }
  if (const auto* open = std::get_if<OpenApp>(&command)) {
    return await_launched_window(view_, before_, *open);
  }
  if (const auto* select = std::get_if<Select>(&command); select != nullptr && last_phase) {
    return choice_.verify(*select, view_);
  }
  return ok();
}

Milliseconds PlainPlanner::target_wait() const {
  if (patience_ == Patience::kNow) return Milliseconds(0);
  const Optional& optional = sentence().optional;
  return optional.left > 0 ? milliseconds(optional.within) : kTargetWait;
}

Error PlainPlanner::about_sentence(const Error& error) const {
  return {error.code, escape_foreign(sentence().source, 120) + " (line " + std::to_string(sentence().line) +
                          ", column " + std::to_string(sentence().column) + "): " + error.message};
}

void PlainPlanner::advance(bool whole_sentence) {
  if (++phase_ < phases_of(sentence().command) && !whole_sentence) return;
  phase_ = 0;
  ++sentence_;
}

}  // namespace da::planner::plain
