#include "services/console/terminal/stream/progress.h"

#include <chrono>
#include <cstdio>

#include "da/v1/outcome.pb.h"
#include "da/v1/pause.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/text.h"
#include "lib/contract/named_action.h"
#include "services/console/terminal/stream/event_text.h"

namespace da::console {
namespace {

constexpr std::size_t kShownOfSentence = 120;
constexpr std::size_t kShownOfDetail = 100;
constexpr const char* kGreen = "\x1b[32m";
constexpr const char* kRed = "\x1b[31m";
constexpr const char* kYellow = "\x1b[33m";
constexpr const char* kPlain = "\x1b[0m";
constexpr Milliseconds kFrame{120};

std::string seconds(Nanoseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(time).count());
  return text;
}

// A short text for each state, or the fact's detail if it says more.
std::string waits_in(const v1::TaskStateChanged& state) {
  switch (state.state()) {
    case v1::TASK_STATE_IDLE: return "waiting for its turn";
    case v1::TASK_STATE_OBSERVING: return "looking at the desktop";
    case v1::TASK_STATE_DECIDING: return state.parts() > 0 ? "waiting for its target" : "waiting for the model";
    case v1::TASK_STATE_AUTHORIZING: return "waiting for the policy";
    case v1::TASK_STATE_ACTING: return escape_foreign(state.detail(), kShownOfDetail);
    case v1::TASK_STATE_VERIFYING: return "checking the result";
    case v1::TASK_STATE_PAUSED: return "PAUSED (" + escape_foreign(state.detail(), kShownOfDetail) + ")";
    default: return {};
  }
}

std::string plan_label(const v1::Plan& plan, std::uint32_t turn) {
  const v1::Step& first = plan.steps(0);
  const std::string why = first.justification().empty() ? contract::describe(first) : first.justification();
  std::string label = "[turn " + std::to_string(turn) + "] " + escape_foreign(why, kShownOfSentence);
  if (plan.steps_size() > 1) label += " and " + std::to_string(plan.steps_size() - 1) + " more";
  return label;
}

std::string result_of(v1::TaskEnd end) {
  switch (end) {
    case v1::TASK_END_DONE: return "done";
    case v1::TASK_END_DENIED: return "denied";
    case v1::TASK_END_EXPIRED: return "expired";
    case v1::TASK_END_HALTED: return "halted";
    case v1::TASK_END_CANCELLED: return "cancelled";
    case v1::TASK_END_UNKNOWN_OUTCOME: return "unknown";
    default: return "failed";
  }
}

// Facts with a line of their own.
bool is_news(const bus::Fact& fact) {
  if (const auto* rules = fact.as<v1::RulesState>())
    return !rules->problem().empty() || !rules->unaccepted_version().empty();
  return fact.as<v1::PolicyPause>() != nullptr || fact.as<v1::PolicyHalt>() != nullptr ||
         fact.as<v1::ActuatorHalt>() != nullptr || fact.as<v1::ApprovalDecision>() != nullptr ||
         fact.as<v1::UserAnswer>() != nullptr;
}

// Approximation: East Asian characters take two columns.
std::size_t width_of(char32_t c) { return c >= 0x1100 ? 2 : 1; }

std::string cut(const std::string& text, std::size_t columns) {
  const auto scalars = decode_utf8(text);
  if (!scalars) return {};
  std::string out;
  std::size_t used = 0;
  for (const char32_t c : *scalars) {
    used += width_of(c);
    if (used > columns) break;
    append_utf8(out, c);
  }
  return out;
}

}  // namespace

std::vector<std::string> Progress::take(const bus::Fact& fact, MonoTime now) {
  std::vector<std::string> lines;
  if (is_news(fact)) lines.push_back(coloured(kYellow, event_line(fact)));
  if (const auto* state = fact.as<v1::TaskStateChanged>()) {
    if (state->header().task_id() == task_id_) take_state(*state, now, lines);
  } else if (const auto* plan = fact.as<v1::Plan>()) {
    const bool of_model = plan->header().task_id() == task_id_ && turn_ > 0 && plan->steps_size() > 0;
    if (of_model) begin({plan_label(*plan, turn_), 0, now, {}}, lines, now);
  } else if (const auto* outcome = fact.as<v1::Outcome>()) {
    const bool ours = outcome->header().task_id() == task_id_ && part_;
    if (ours && outcome->code() == v1::Outcome::CODE_SKIPPED) part_->result = "left out";
    if (ours && outcome->kind() == v1::Outcome::KIND_NO_EFFECT) part_->result = "done, without effect";
    // The planner proves a launch by its window, which no fact tells.
    const bool unproven = outcome->kind() == v1::Outcome::KIND_DISPATCHED && outcome->tool() != "launch";
    if (ours && unproven) part_->result = "done, not proven";
    if (ours && outcome->kind() == v1::Outcome::KIND_CONFIRMED) part_->result.clear();
  } else if (const auto* asked = fact.as<v1::ApprovalRequest>()) {
    waits_for_ = "waiting for approval " + escape_foreign(asked->approval_id(), 40);
  } else if (const auto* question = fact.as<v1::UserQuestion>()) {
    waits_for_ = "waiting for an answer to question " + escape_foreign(question->question_id(), 40);
  } else if (const auto* decision = fact.as<v1::ApprovalDecision>()) {
    if (part_ && decision->answer() == v1::ApprovalDecision::ANSWER_SKIPPED) part_->result = "left out";
  } else if (const auto* ended = fact.as<v1::TaskEnded>()) {
    if (ended->result().task_id() == task_id_) {
      const bool well = ended->result().end() == v1::TASK_END_DONE;
      end(well && part_ && !part_->result.empty() ? part_->result : result_of(ended->result().end()), well, now, lines);
      waits_for_.clear();
    }
  }
  return lines;
}

void Progress::take_state(const v1::TaskStateChanged& state, MonoTime now, std::vector<std::string>& lines) {
  waits_for_ = waits_in(state);
  if (state.parts() == 0) {
    // A plain goal has no part after its last sentence, so do not take it for a model's task.
    const bool of_model = !part_ || part_->number == 0;
    turn_ = of_model ? state.turn() : 0;
    return;
  }
  if (part_ && part_->number == state.part()) return;
  const std::string number = "[" + std::to_string(state.part()) + "/" + std::to_string(state.parts()) + "] ";
  begin({number + escape_foreign(state.part_text(), kShownOfSentence), state.part(), now, {}}, lines, now);
}

void Progress::begin(Part part, std::vector<std::string>& lines, MonoTime now) {
  if (part_) end(part_->result.empty() ? "done" : part_->result, true, now, lines);
  part_ = std::move(part);
}

void Progress::end(const std::string& result, bool well, MonoTime now, std::vector<std::string>& lines) {
  if (!part_) return;
  lines.push_back(part_->label + " … " + coloured(well ? kGreen : kRed, result) + " " + seconds(now - part_->began));
  part_.reset();
}

std::string Progress::status(MonoTime now, std::size_t columns) const {
  if (waits_for_.empty() && !part_) return {};
  constexpr std::string_view kFrames = "|/-\\";
  const auto frame = static_cast<std::size_t>(now.time_since_epoch() / kFrame) % kFrames.size();
  std::string tail(1, kFrames[frame]);
  if (part_) tail += " " + seconds(now - part_->began);
  if (!waits_for_.empty()) tail += (part_ ? ", " : " ") + waits_for_;
  if (!part_) return cut(tail, columns);
  // Cut the sentence, not the rest of the status.
  const std::string shown = cut(tail, columns);
  const std::size_t left = columns > shown.size() + 3 ? columns - shown.size() - 3 : 0;
  return left < 8 ? shown : cut(part_->label, left) + " … " + shown;
}

std::string Progress::coloured(const char* code, const std::string& text) const {
  return colours_ == Colours::kAnsi ? code + text + kPlain : text;
}

}  // namespace da::console
