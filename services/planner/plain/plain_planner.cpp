#include "services/planner/plain/plain_planner.h"

#include <algorithm>
#include <span>
#include <utility>

#include "lib/base/text.h"
#include "services/planner/plain/language/actions.h"
#include "services/planner/plain/language/goal_values.h"
#include "services/planner/plain/window_raise.h"
#include "services/planner/tools/element_query.h"
#include "services/planner/tools/planner_tools.h"

namespace da::planner::plain {
namespace {

constexpr double kLoopConditionSeconds = 1;
// A bubble or a window that opens just now is waited for before the sentence's window is brought to the front.
constexpr Milliseconds kBeforeRaise{2'500};
// The score of a name by a label beside it is lower than the label's own by less.
constexpr double kBesideLabel = 0.06;

Milliseconds in_milliseconds(double seconds) {
  return std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(seconds));
}

// True if the command locates its target by name, and waits until it has settled.
bool finds_its_target(const Command& command) {
  if (const auto* click = std::get_if<Click>(&command)) return std::holds_alternative<std::string>(click->target);
  if (const auto* scroll = std::get_if<Scroll>(&command)) {
    return scroll->target && std::holds_alternative<std::string>(*scroll->target);
  }
  if (const auto* hover = std::get_if<Hover>(&command)) return std::holds_alternative<std::string>(hover->target);
  return names_field(command) || is_any_of<Select, SelectRows, Copy, WaitUntil, If, While, EndWhile, FocusWindow,
                                           CloseWindow, TerminateApp, Check, WaitForText, OpenApp>(command);
}

// Whether the property may hold only because the screen still shows what was before.
bool holds_too_early(const Check& check) {
  return check.property == Property::kNotVisible || check.property == Property::kDisabled ||
         check.property == Property::kUnchecked || check.property == Property::kText ||
         check.property == Property::kWindowClosed;
}

// True if the command reads something that the sentence before may still change.
bool reads_what_may_change(const Command& command) {
  if (const auto* check = std::get_if<Check>(&command)) return holds_too_early(*check);
  if (const auto* wait = std::get_if<WaitUntil>(&command)) return holds_too_early(wait->condition);
  if (const auto* condition = std::get_if<If>(&command)) return holds_too_early(condition->condition);
  return std::holds_alternative<Copy>(command);
}

// Whether another window may be why the target was not found, or cannot be reached.
bool may_be_hidden(const Error& error) {
  return error.code == Code::kNotFound || error.code == Code::kFailedPrecondition;
}

// True if the command sends keys to the focused application.
bool sends_keys(const Command& command) { return is_any_of<TypeText, PasteText, PressKeys>(command); }

}  // namespace

// May be too weak if the last proposal is repeated and sends keys; SentenceSteps then takes a settled look itself.
View PlainPlanner::wanted_view() const {
  if (patience_ == Patience::kNow) return View::kSettledScreen;
  if (raising_) return View::kState;
  const bool finished = proposed_ && (phase_ + 1 >= phases_of(sentence().command) || proposed_whole_);
  const std::size_t next = finished ? sentence_ + 1 : sentence_;
  if (next >= goal_.size()) return View::kSettledApplication;  // The last picture follows.
  if (reads_what_may_change(goal_[next].command) || ends_loop_too_early(next)) return View::kSettledApplication;
  if (finds_its_target(goal_[next].command)) return View::kState;
  // Reading the elements costs the application time, which a person may be using while the task waits.
  if (std::holds_alternative<WaitSeconds>(goal_[next].command)) return View::kState;
  // An application that starts may be idle in between, so wait for the whole screen.
  const bool opens = finished && std::holds_alternative<OpenApp>(sentence().command);
  return sends_keys(goal_[next].command) && !opens ? View::kSettledApplication : View::kSettledScreen;
}

// Whether this sentence reads the condition of a loop that may hold only because nothing has changed yet.
bool PlainPlanner::ends_loop_too_early(std::size_t sentence) const {
  const auto* end = std::get_if<EndWhile>(&goal_[sentence].command);
  const std::size_t header = end == nullptr ? sentence : sentence - end->sentences;
  const auto* loop = header < goal_.size() ? std::get_if<While>(&goal_[header].command) : nullptr;
  return loop != nullptr && holds_too_early(loop->condition);
}

Result<v1::Plan> PlainPlanner::decide(const v1::Observation& latest, Attempt attempt) {
  if (failed_) {
    // The message already names the step.
    if (sentence().optional.left == 0) return Error{Code::kFailedPrecondition, *failed_};
    skip_optional(*std::exchange(failed_, std::nullopt));
  } else if (attempt == Attempt::kNext && proposed_ && !raising_) {
    advance(proposed_whole_);
  }
  proposed_ = false;
  raising_ = false;
  steps_.begin_decision();
  // The field may have lost the focus: begin with it again, which is harmless.
  const bool may_be_elsewhere = attempt == Attempt::kAgain || std::exchange(resumed_, false);
  if (may_be_elsewhere && sentence_ < goal_.size() && names_field(sentence().command)) phase_ = 0;
  while (sentence_ < goal_.size()) {
    ASSIGN_OR_RETURN(const bool passed, pass_without_step());
    if (passed) continue;
    const auto behind =
        raised_ || phase_ > 0 || patience_ == Patience::kNow ? std::nullopt : window_behind(sentence().command, latest);
    auto proposal = steps_.propose(sentence(), phase_, latest, behind ? std::optional(kBeforeRaise) : std::nullopt);
    if (!proposal && behind && may_be_hidden(proposal.error())) return raise(*behind, proposal.error(), latest);
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

// An optional sentence is still tried if this step fails; otherwise the failure ends the goal.
v1::Plan PlainPlanner::raise(const std::string& title, const Error& why, const v1::Observation& latest) {
  raising_ = raised_ = true;
  remark("brings " + quote_foreign(title, 80) + " to the front first: " + why.message);
  return plan_of({.action = draft_action(FocusWindow{title})}, latest);
}

// Carries out a sentence that needs no step of its own; false for other sentences.
Result<bool> PlainPlanner::pass_without_step() {
  const auto done = [this]() -> Result<bool> {
    const Command& command = sentence().command;
    if (const auto* condition = std::get_if<If>(&command)) {
      RETURN_IF_ERROR(pass(*condition));
    } else if (const auto* loop = std::get_if<While>(&command)) {
      RETURN_IF_ERROR(pass(*loop));
    } else if (const auto* end = std::get_if<EndWhile>(&command)) {
      go_to(patience_ == Patience::kNow ? sentence_ + 1 : sentence_ - end->sentences);
    } else if (const auto* copy = std::get_if<Copy>(&command)) {
      RETURN_IF_ERROR(pass(*copy));
    } else if (const auto* wait = std::get_if<WaitUntil>(&command)) {
      RETURN_IF_ERROR(pass(*wait));
    } else {
      return false;
    }
    return true;
  };
  auto passed = done();
  if (passed || is_lost_or_cancelled(passed.error())) return passed;
  if (sentence().optional.left == 0) return about_sentence(passed.error());
  skip_optional(passed.error().message);
  return true;
}

// A dry run cannot evaluate a condition, so it assumes true; the plan names the condition.
Result<void> PlainPlanner::pass(const If& condition) {
  bool holds = true;
  if (patience_ == Patience::kWait) {
    ASSIGN_OR_RETURN(const auto answer, answer_condition(condition.condition, in_milliseconds(condition.within)));
    holds = answer.ok;
    remark((holds ? "because " : "left out the block of ") + escape_foreign(sentence().source, 80) +
           (holds ? ": " : ", for ") + answer.message);
  }
  const std::size_t left_out = holds ? 0 : condition.sentences;
  unmet_ += count_sentences(sentence_ + 1, left_out);
  go_to(sentence_ + 1 + left_out);
  return ok();
}

// The first rounds of a dry run are all that it shows.
Result<void> PlainPlanner::pass(const While& loop) {
  if (patience_ == Patience::kNow) {
    go_to(sentence_ + 1);
    return ok();
  }
  std::uint32_t& rounds = rounds_[sentence_];
  ASSIGN_OR_RETURN(const auto answer, answer_condition(loop.condition, in_milliseconds(kLoopConditionSeconds)));
  if (answer.ok && rounds == loop.most_rounds) {
    return Error{Code::kFailedPrecondition,
                 "its condition is still true after " + std::to_string(rounds) + " rounds: " + answer.message};
  }
  remark(escape_foreign(sentence().source, 80) + (answer.ok ? ": " : " has ended after ") +
         (answer.ok ? "" : std::to_string(rounds) + " rounds: ") + answer.message);
  if (answer.ok) {
    ++rounds;
    go_to(sentence_ + 1);
    return ok();
  }
  if (rounds == 0) unmet_ += count_sentences(sentence_ + 1, loop.sentences);
  rounds_.erase(sentence_);
  go_to(sentence_ + 1 + loop.sentences);
  return ok();
}

// In slices, so that a long wait notices an observer that hangs.
Result<void> PlainPlanner::pass(const WaitUntil& wait) {
  if (patience_ == Patience::kWait) {
    const MonoTime deadline = view_.deadline_after(in_milliseconds(wait.seconds));
    for (;;) {
      const auto left = std::chrono::ceil<Milliseconds>(deadline - view_.clock().now());
      ASSIGN_OR_RETURN(const auto answer,
                       answer_condition(wait.condition, std::clamp(left, Milliseconds(0), kTargetWait)));
      if (answer.ok) break;
      if (left > kTargetWait) continue;
      return Error{Code::kFailedPrecondition, answer.message};
    }
  }
  go_to(sentence_ + 1);
  return ok();
}

Result<void> PlainPlanner::pass(const Copy& copy) {
  if (patience_ == Patience::kWait) {
    const double seconds = sentence().optional.within;
    const Milliseconds wait = sentence().optional.left > 0 ? in_milliseconds(seconds) : kTargetWait;
    ASSIGN_OR_RETURN(const std::string text, read_text(copy.target, wait));
    const auto value = value_of(text);
    if (!value)
      return Error{value.error().code, describe_target(copy.target) + " cannot be copied: " + value.error().message};
    values_[copy.name] = *value;
    remark("copied " + quote_foreign(*value, 80) + " as " + copy.name);
  }
  go_to(sentence_ + 1);
  return ok();
}

Result<Answer> PlainPlanner::answer_condition(const Check& condition, Milliseconds wait) {
  return answer_check(draft_action(condition).check_element_property(), view_, wait);
}

// Finds a field that is disabled, or that only shows its text.
Result<std::optional<v1::Candidate>> PlainPlanner::find_field_of_any_state(const std::string& target) {
  auto query = parse_element_query(target);
  if (query.role.empty()) query.role = "field";
  ASSIGN_OR_RETURN(const auto reply, view_.find(query, v1::ACTIONABLE_HOVERABLE, Ocr::kWithout, Milliseconds(0)));
  const auto one = the_one_of(reply, target, Milliseconds(0));
  return one ? std::optional(*one) : std::nullopt;
}

// A field's content before the text of a label. Text that is only read in the picture may be misread, so it is no
// value.
Result<std::string> PlainPlanner::read_text(const std::string& target, Milliseconds wait) {
  auto found = view_.find_one(target, v1::ACTIONABLE_EDITABLE, Ocr::kWithout, Milliseconds(0));
  if (!found && is_lost_or_cancelled(found.error())) return found.error();
  if (!found) {
    found = view_.find_one(target, v1::ACTIONABLE_HOVERABLE, Ocr::kWithout, wait);
    RETURN_IF_ERROR(found);
    ASSIGN_OR_RETURN(const auto field, find_field_of_any_state(target));
    if (field && field->score() + kBesideLabel >= found->score()) found = *field;
  }
  RETURN_IF_ERROR(found);
  const v1::UiNode& node = found->node();
  if (has_state(node, v1::UI_STATE_PASSWORD)) {
    return Error{Code::kFailedPrecondition, describe_candidate(*found) + " is a password, which is never read"};
  }
  const bool says_name = node.text().empty() && !has_state(node, v1::UI_STATE_EDITABLE);
  return says_name ? node.name() : node.text();
}

void PlainPlanner::go_to(std::size_t sentence) {
  sentence_ = sentence;
  ++visits_;
  phase_ = 0;
  raised_ = false;
  if (sentence_ < goal_.size()) current_ = with_values(goal_[sentence_], values_);
}

// Also skips the rest of the block, which assumes that the sentence succeeds.
void PlainPlanner::skip_optional(const std::string& why) {
  remark("left out " + escape_foreign(sentence().source, 80) + ", which is optional: " + why);
  if (left_out_ == 0) left_out_ = static_cast<std::uint32_t>(sentence_ + 1);
  const std::size_t left = sentence().optional.left;
  optional_failed_ += count_sentences(sentence_, left);
  for (std::size_t i = 0; i < left; ++i) rounds_.erase(sentence_ + i);
  go_to(sentence_ + left);
}

// Does not count headers of blocks.
std::size_t PlainPlanner::count_sentences(std::size_t first, std::size_t count) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(std::span(goal_).subspan(first, count),
                            [](const Sentence& each) { return !is_any_of<If, While, EndWhile>(each.command); }));
}

// Conditions around the current sentence, shown in a dry run; empty if there are none.
std::string PlainPlanner::conditions() const {
  std::string all;
  for (std::size_t i = 0; i < sentence_; ++i) {
    const auto* condition = std::get_if<If>(&goal_[i].command);
    const auto* loop = std::get_if<While>(&goal_[i].command);
    const std::size_t length = condition != nullptr ? condition->sentences : loop != nullptr ? loop->sentences : 0;
    if (i + length < sentence_) continue;
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

std::uint32_t PlainPlanner::parts_carried_out() const {
  const std::size_t passed = count_sentences(0, std::min(sentence_, goal_.size()));
  return static_cast<std::uint32_t>(passed - skipped_ - optional_failed_ - unmet_);
}

std::string PlainPlanner::summary() const {
  const std::uint32_t read = parts_carried_out();
  const bool acted = patience_ == Patience::kWait;
  std::string done = std::to_string(read) + (read == 1 ? " sentence was " : " sentences were ") +
                     (acted ? "carried out" : "read; nothing was executed");
  if (skipped_ > 0) done += ", " + std::to_string(skipped_) + " left out by a person";
  if (unmet_ > 0) done += ", " + std::to_string(unmet_) + " left out by their condition";
  if (optional_failed_ > 0) done += ", " + std::to_string(optional_failed_) + " optional left out";
  return done;
}

Part PlainPlanner::part(Attempt attempt) const {
  std::size_t at = sentence_;
  const bool was_proposed = attempt == Attempt::kNext && proposed_ && !raising_ && at < goal_.size();
  if (was_proposed && (proposed_whole_ || phase_ + 1 >= phases_of(goal_[at].command))) ++at;
  if (at >= goal_.size()) return {};
  return {static_cast<std::uint32_t>(at + 1), static_cast<std::uint32_t>(goal_.size()), goal_[at].source, visits_};
}

v1::Plan PlainPlanner::plan_of(Proposal proposal, const v1::Observation& latest) {
  proposed_ = true;
  proposed_whole_ = awaits_target_ = proposal.awaits_target;
  v1::Plan plan;
  plan.set_frame_id(latest.frame_id());
  v1::Step& step = *plan.add_steps();
  *step.mutable_action() = std::move(proposal.action);
  step.set_target(std::move(proposal.target));
  step.set_keys_to_window(std::move(proposal.keys_to_window));
  step.set_frame_id(std::move(proposal.frame_id));
  if (!proposal.row.element_id().empty()) *step.mutable_row() = std::move(proposal.row);
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
  if (raising_) return;
  if (event.kind == EventKind::kRefused || event.kind == EventKind::kFailed) failed_ = event.text;
}

Result<Proof> PlainPlanner::verify(const v1::Step&, EventKind outcome) {
  if (outcome == EventKind::kSkipped) {
    // Skip the whole sentence: its text must not go to another field.
    proposed_whole_ = true;
    raising_ = false;
    if (left_out_ == 0) left_out_ = static_cast<std::uint32_t>(sentence_ + 1);
    ++skipped_;
    return Proof::kByOutcome;
  }
  if (raising_) return Proof::kLater;
  const auto verified = steps_.verify(sentence(), phase_, outcome);
  if (std::string told = steps_.take_remark(); !told.empty()) {
    remark("after " + escape_foreign(sentence().source, 80) + ", " + told);
  }
  if (verified || is_lost_or_cancelled(verified.error())) return verified;
  if (sentence().optional.left == 0) return about_sentence(verified.error());
  failed_ = verified.error().message;
  return Proof::kLater;
}

Error PlainPlanner::about_sentence(const Error& error) const {
  return {error.code, escape_foreign(sentence().source, 120) + " (line " + std::to_string(sentence().line) +
                          ", column " + std::to_string(sentence().column) + "): " + error.message};
}

void PlainPlanner::advance(bool whole_sentence) {
  if (++phase_ < phases_of(sentence().command) && !whole_sentence) return;
  go_to(sentence_ + 1);
}

}  // namespace da::planner::plain
