#include "services/planner/plain/sentence_steps.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "lib/base/text.h"
#include "services/planner/plain/actions.h"
#include "services/planner/plain/close_wait.h"
#include "services/planner/plain/key_readiness.h"
#include "services/planner/plain/window_wait.h"

namespace da::planner::plain {
namespace {

constexpr Milliseconds kFieldShowsText{1'500};

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

// True if the next sentence may rely on the command's effect.
bool must_have_effect(const Command& command) {
  return is_any_of<FocusWindow, CloseWindow, TerminateApp, DeleteFile, TypeText, PasteText, Click>(command);
}

// A field whose content the typed text replaces, and that shows nothing beside it.
bool is_replaced(const v1::UiNode& field) {
  return !has_state(field, v1::UI_STATE_MULTI_LINE) && (field.role() == "text" || field.role() == "entry");
}

// Without keys, which may clear the field, and without a secret, which the planner does not know. A longer text is cut.
bool is_plain_text(const std::string& text) {
  constexpr std::size_t kLongest = 500;
  return text.size() <= kLongest && text.find_first_of("\n\t") == std::string::npos &&
         text.find("{{") == std::string::npos;
}

Milliseconds target_wait(const Sentence& sentence, Patience patience) {
  if (patience == Patience::kNow) return Milliseconds(0);
  if (sentence.optional.left == 0) return kTargetWait;
  return std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(sentence.optional.within));
}

}  // namespace

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

// Builds the step of one phase, with one overload for each command.
struct SentenceSteps::Propose {
  SentenceSteps& steps;
  const Sentence& sentence;
  std::uint32_t phase;
  const v1::Observation& latest;
  Milliseconds wait;  // For a target.

  static Proposed step(v1::Action action, std::string target = {}) {
    return std::optional(Proposal{std::move(action), {}, false, std::move(target)});
  }
  Proposed draft() const { return step(draft_action(sentence.command)); }

  Proposed operator()(const OpenApp&) const { return draft(); }
  Proposed operator()(const FocusWindow& c) const { return on_window(c.title); }
  Proposed operator()(const CloseWindow& c) const { return on_window(c.title); }
  Proposed operator()(const TerminateApp& c) const { return on_window(c.title); }
  Proposed operator()(const DeleteFile&) const { return draft(); }
  Proposed operator()(const If&) const { return std::optional<Proposal>(); }  // PlainPlanner handles it.

  Proposed operator()(const Drag& c) const {
    ASSIGN_OR_RETURN(const Point from, place_of(c.from));
    ASSIGN_OR_RETURN(const Point to, place_of(c.to));
    return step(drag(from, to));
  }

  Proposed operator()(const Select& c) const {
    Choice& choice = steps.choice_;
    return phase == 0 ? choice.open_list(c, steps.view_, wait) : choice.pick_item(c, steps.view_, wait);
  }
  Proposed operator()(const WaitForText&) const { return draft(); }
  Proposed operator()(const Check&) const { return draft(); }

  Proposed operator()(const WaitSeconds& c) const { return step(sleep(c.seconds - kMaxSleepSeconds * phase)); }

  Proposed operator()(const TypeText& c) const {
    if (c.field && phase == 0) return focus_field(*c.field);
    std::optional<v1::UiNode> focused;
    if (c.field && steps.patience_ == Patience::kWait) {
      ASSIGN_OR_RETURN(focused, focused_field(*c.field));
    }
    if (c.field && phase == 1) return select_content(focused);
    if (!focused) RETURN_IF_ERROR(rest(Focus::kNeeded));
    if (c.field) steps.typed_fields_.insert(steps.field_.element_id());
    return step(write(c.text));
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
    ASSIGN_OR_RETURN(const auto found, steps.view_.find_one(*name, v1::ACTIONABLE_SCROLLABLE, Ocr::kWith, wait));
    return step(scroll(point_of(found.bounds()), c.notches_down), name_candidate(found, latest.windows()));
  }

  Result<Point> place_of(const Target& target) const {
    if (const Point* at = std::get_if<Point>(&target)) return *at;
    ASSIGN_OR_RETURN(const auto found,
                     steps.view_.find_one(std::get<std::string>(target), v1::ACTIONABLE_ENABLED, Ocr::kWith, wait));
    if (has_state(found.node(), v1::UI_STATE_SCROLLED_OUT)) {
      return Error{Code::kFailedPrecondition,
                   describe_candidate(found) + " is scrolled out of sight: scroll to it first"};
    }
    return point_of(found.bounds());
  }

  // Does not click a focused field: its selection stays, and the text replaces it.
  Proposed focus_field(const std::string& field) const {
    ASSIGN_OR_RETURN(const auto found, steps.view_.find_one(field, v1::ACTIONABLE_EDITABLE, Ocr::kWithout, wait));
    steps.field_ = found.node();
    steps.field_is_current_ = true;
    if (has_state(found.node(), v1::UI_STATE_FOCUSED)) return std::optional<Proposal>();
    return step(ui_click(found.node().element_id()), name_candidate(found, latest.windows()));
  }

  // nullopt if the field does not get the focus. A field that was seen before the last step is read again.
  Result<std::optional<v1::UiNode>> focused_field(const std::string& field) const {
    if (!steps.field_is_current_ || !has_state(steps.field_, v1::UI_STATE_FOCUSED)) {
      ASSIGN_OR_RETURN(const auto seen, await_field_focus(steps.view_, field, steps.field_.element_id()));
      if (!seen) return seen;
      steps.field_ = *seen;
      steps.field_is_current_ = true;
    }
    return std::optional(steps.field_);
  }

  // Selects the content of a one-line field, so that the text replaces it. GTK selects only a part of a file name.
  // The text of a password, and of a field that a secret was typed into, is not told.
  Proposed select_content(const std::optional<v1::UiNode>& field) const {
    if (!field || has_state(*field, v1::UI_STATE_MULTI_LINE)) return std::optional<Proposal>();
    const bool may_have_text = !field->text().empty() || has_state(*field, v1::UI_STATE_PASSWORD) ||
                               steps.typed_fields_.contains(field->element_id());
    if (!may_have_text) return std::optional<Proposal>();
    return step(press({"ctrl", "a"}));
  }

  Proposed on_window(const std::string& title) const {
    ASSIGN_OR_RETURN([[maybe_unused]] const auto window, steps.view_.await_window(title, wait));
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
    ASSIGN_OR_RETURN([[maybe_unused]] const auto now, await_rest(steps.view_, seen, focus));
    return ok();
  }
};

Proposed SentenceSteps::propose(const Sentence& sentence, std::uint32_t phase, const v1::Observation& latest) {
  const Milliseconds wait = target_wait(sentence, patience_);
  Proposed proposal = std::visit(Propose{*this, sentence, phase, latest, wait}, sentence.command);
  if (!proposal && patience_ == Patience::kNow && !is_lost_or_cancelled(proposal.error())) {
    proposal = std::optional(Proposal{action_by_description(sentence.command),
                                      "cannot be judged before its target shows: " + proposal.error().message, true});
  }
  if (proposal && *proposal) before_ = latest;
  return proposal;
}

Result<void> SentenceSteps::verify(const Sentence& sentence, std::uint32_t phase, EventKind outcome) {
  const Command& command = sentence.command;
  const bool last_phase = phase + 1 == phases_of(command);
  if (names_field(command)) return verify_field(std::get<TypeText>(command), phase, outcome);
  if (outcome == EventKind::kNoEffect && must_have_effect(command) && last_phase) {
    return Error{Code::kFailedPrecondition, "it was carried out, but had no effect"};
  }
  if (const auto* open = std::get_if<OpenApp>(&command)) {
    return await_launched_window(view_, before_, *open);
  }
  if (const auto* close = std::get_if<CloseWindow>(&command)) {
    ASSIGN_OR_RETURN(remark_, await_closed(view_, before_, close->title));
  }
  if (const auto* select = std::get_if<Select>(&command); select != nullptr && last_phase) {
    return choice_.verify(*select, view_);
  }
  return ok();
}

Result<void> SentenceSteps::verify_field(const TypeText& type, std::uint32_t phase, EventKind outcome) {
  if (outcome == EventKind::kNoEffect && phase == 1) {
    return Error{Code::kFailedPrecondition,
                 "the content of " + describe_target(*type.field) + " could not be selected, so nothing was typed"};
  }
  if (phase != 2 || outcome == EventKind::kConfirmed) return ok();
  std::string has;  // Empty: not told.
  const auto holds = [&](const v1::Observation&) -> Result<bool> {
    const auto tree = view_.ui_tree();
    if (!tree && is_lost_or_cancelled(tree.error())) return tree.error();
    if (!tree) return true;
    const auto now = std::ranges::find(tree->nodes(), field_.element_id(), &v1::UiNode::element_id);
    if (now == tree->nodes().end()) return true;  // The text may have closed its window.
    has = now->text();
    return has.empty() || !is_replaced(*now) || !is_plain_text(type.text) || has == type.text;
  };
  const Milliseconds wait = outcome == EventKind::kNoEffect ? Milliseconds(0) : kFieldShowsText;
  ASSIGN_OR_RETURN(const bool held, view_.look_until(holds, wait, View::kState));
  if (held && outcome != EventKind::kNoEffect) return ok();
  return Error{Code::kFailedPrecondition, "the text was typed, but " + describe_target(*type.field) + " has " +
                                              (has.empty() ? "another content" : quote_foreign(has, 200))};
}

}  // namespace da::planner::plain
