#include "services/planner/plain/plain_planner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lib/base/text.h"
#include "services/planner/plain/actions.h"
#include "services/planner/plain/key_readiness.h"
#include "services/planner/plain/window_wait.h"

namespace da::planner::plain {
namespace {

constexpr double kMaxSleepSeconds = 5;  // The catalogue's bound for one sleep.

bool names_field(const Command& command) {
  const auto* type = std::get_if<TypeText>(&command);
  return type != nullptr && type->field.has_value();
}

std::uint32_t phases_of(const Command& command) {
  if (names_field(command)) return 2;
  if (const auto* wait = std::get_if<WaitSeconds>(&command)) {
    return std::max(1u, static_cast<std::uint32_t>(std::ceil(wait->seconds / kMaxSleepSeconds)));
  }
  return 1;
}

// No call double-clicks or scrolls at what is only described, and a place would be made up.
v1::Action action_by_description(const Command& command) {
  const auto* click = std::get_if<Click>(&command);
  if (std::holds_alternative<Scroll>(command) || (click != nullptr && click->kind != ClickKind::kSingle)) return {};
  return draft_action(command);
}

Point point_of(const v1::Rect& bounds) {
  const v1::Point center = center_of(bounds);
  return {center.x(), center.y()};
}

// Commands that claim an effect which the next sentence may rely on.
bool must_have_effect(const Command& command) {
  return std::holds_alternative<FocusWindow>(command) || std::holds_alternative<CloseWindow>(command) ||
         std::holds_alternative<TerminateApp>(command) || std::holds_alternative<DeleteFile>(command) ||
         std::holds_alternative<TypeText>(command) || std::holds_alternative<PasteText>(command);
}

}  // namespace

// One overload for each command: the action of its current phase.
struct PlainPlanner::Propose {
  using Proposed = Result<std::optional<Proposal>>;
  PlainPlanner& planner;
  const v1::Observation& latest;

  static Proposed step(v1::Action action) { return std::optional(Proposal{std::move(action), {}, false}); }
  Proposed draft() const { return step(draft_action(planner.sentence().command)); }

  Proposed operator()(const OpenApp&) const { return draft(); }
  Proposed operator()(const FocusWindow& c) const { return on_window(c.title); }
  Proposed operator()(const CloseWindow& c) const { return on_window(c.title); }
  Proposed operator()(const TerminateApp& c) const { return on_window(c.title); }
  Proposed operator()(const DeleteFile&) const { return draft(); }
  Proposed operator()(const Drag&) const { return draft(); }
  Proposed operator()(const WaitForText&) const { return draft(); }
  Proposed operator()(const Check&) const { return draft(); }

  Proposed operator()(const WaitSeconds& c) const { return step(sleep(c.seconds - kMaxSleepSeconds * planner.phase_)); }

  Proposed operator()(const TypeText& c) const {
    if (c.field && planner.phase_ == 0) return focus_field(*c.field);
    RETURN_IF_ERROR(rest(Focus::kNeeded));
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
      RETURN_IF_ERROR(await_default_button(planner.sight_, latest.focused_window()));
    }
    return draft();
  }

  Proposed operator()(const Click& c) const {
    const auto* name = std::get_if<std::string>(&c.target);
    if (name == nullptr) return draft();
    ASSIGN_OR_RETURN(const auto found,
                     planner.sight_.find_one(*name, v1::ACTIONABLE_ENABLED, Ocr::kWith, planner.target_wait()));
    const bool by_element = found.source() == v1::Candidate::SOURCE_UI_TREE && c.kind == ClickKind::kSingle;
    return step(by_element ? ui_click(found.node().element_id()) : mouse_click(c.kind, point_of(found.bounds())));
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
                     planner.sight_.find_one(*name, v1::ACTIONABLE_UNSPECIFIED, Ocr::kWith, planner.target_wait()));
    return step(scroll(point_of(found.bounds()), c.notches_down));
  }

  // A field that has the focus already is not clicked: what it has selected stays selected, and is replaced.
  Proposed focus_field(const std::string& field) const {
    ASSIGN_OR_RETURN(const auto found,
                     planner.sight_.find_one(field, v1::ACTIONABLE_EDITABLE, Ocr::kWithout, planner.target_wait()));
    if (has_state(found.node(), v1::UI_STATE_FOCUSED)) return std::optional<Proposal>();
    return step(ui_click(found.node().element_id()));
  }

  Proposed on_window(const std::string& title) const {
    ASSIGN_OR_RETURN([[maybe_unused]] const auto window, planner.sight_.await_window(title, planner.target_wait()));
    return draft();
  }

  Result<void> rest(Focus focus) const {
    if (planner.patience_ == Patience::kNow) return ok();
    ASSIGN_OR_RETURN([[maybe_unused]] const auto now, await_rest(planner.sight_, latest, focus));
    return ok();
  }
};

std::uint32_t turn_bound(const Goal& goal, std::uint32_t tries_per_step) {
  std::uint32_t phases = 0;
  for (const Sentence& sentence : goal) phases += phases_of(sentence.command);
  return phases * tries_per_step + 1;  // The last decision finds nothing left to do.
}

Result<v1::Plan> PlainPlanner::decide(const v1::Observation& latest, Attempt attempt) {
  if (attempt == Attempt::kNext && proposed_) advance(proposed_whole_);
  proposed_ = false;
  // What the keys were meant for may have lost the focus: begin with the field again, which is harmless.
  const bool may_be_elsewhere = attempt == Attempt::kAgain || std::exchange(resumed_, false);
  if (may_be_elsewhere && sentence_ < goal_.size() && names_field(sentence().command)) phase_ = 0;
  while (sentence_ < goal_.size()) {
    auto proposal = patience_ == Patience::kWait ? propose(latest) : propose_now(latest);
    if (!proposal) return about_sentence(proposal.error());
    if (*proposal) return plan_of(**std::move(proposal), latest);
    advance(false);
  }
  v1::Plan plan;
  plan.set_frame_id(latest.frame_id());
  const bool acted = patience_ == Patience::kWait;
  const std::size_t read = goal_.size() - skipped_;
  std::string done = std::to_string(read) + (read == 1 ? " sentence was " : " sentences were ") +
                     (acted ? "carried out" : "read; nothing was executed");
  if (skipped_ > 0) done += ", " + std::to_string(skipped_) + " left out by a person";
  plan.set_done(std::move(done));
  return plan;
}

Result<std::optional<PlainPlanner::Proposal>> PlainPlanner::propose(const v1::Observation& latest) {
  return std::visit(Propose{*this, latest}, sentence().command);
}

Result<std::optional<PlainPlanner::Proposal>> PlainPlanner::propose_now(const v1::Observation& latest) {
  auto proposal = propose(latest);
  if (proposal || is_lost_or_cancelled(proposal.error())) return proposal;
  return std::optional(Proposal{action_by_description(sentence().command),
                                "cannot be judged before its target shows: " + proposal.error().message, true});
}

v1::Plan PlainPlanner::plan_of(Proposal proposal, const v1::Observation& latest) {
  proposed_ = true;
  proposed_whole_ = awaits_target_ = proposal.awaits_target;
  before_ = latest;
  v1::Plan plan;
  plan.set_frame_id(latest.frame_id());
  v1::Step& step = *plan.add_steps();
  *step.mutable_action() = std::move(proposal.action);
  std::string why = "sentence " + std::to_string(sentence_ + 1) + " of " + std::to_string(goal_.size()) + ": " +
                    escape_foreign(sentence().source, 200);
  if (!proposal.note.empty()) why += " (" + proposal.note + ")";
  step.set_justification(std::move(why));
  return plan;
}

Result<void> PlainPlanner::verify(const v1::Step&, EventKind outcome) {
  const Command& command = sentence().command;
  if (outcome == EventKind::kSkipped) {
    // Text that was meant for a field must not go elsewhere.
    proposed_whole_ = true;
    ++skipped_;
    return ok();
  }
  if (outcome == EventKind::kNoEffect && must_have_effect(command) && phase_ + 1 == phases_of(command)) {
    return about_sentence({Code::kFailedPrecondition, "it was carried out, but had no effect"});
  }
  if (const auto* open = std::get_if<OpenApp>(&command)) {
    const auto ready = await_launched_window(sight_, before_, open->command);
    if (!ready) return about_sentence(ready.error());
  }
  return ok();
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
