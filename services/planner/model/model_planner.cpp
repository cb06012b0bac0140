#include "services/planner/model/model_planner.h"

#include <algorithm>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/describe.h"
#include "lib/contract/json/schema.h"
#include "lib/contract/place_text.h"
#include "services/planner/tools/described_target.h"
#include "services/planner/tools/element_query.h"
#include "services/planner/tools/field_focus.h"
#include "services/planner/tools/launch_wait.h"

namespace da::planner::model {
namespace {

constexpr std::size_t kMostElements = 150;  // Enough for a window's controls; some thousand tokens.
constexpr std::size_t kToldCharacters = 20'000;
constexpr std::uint32_t kFewestOutputTokens = 512;
// Models also launch programs that end without a window.
constexpr Milliseconds kOthersOpen{3'000};

// nullopt for events before the outcome.
std::optional<std::string> outcome_text(const Event& event) {
  switch (event.kind) {
    case EventKind::kAllowed: return std::nullopt;
    case EventKind::kDispatched:
      return "carried out; what it led to is on the screen" +
             (event.text.empty() ? "" : ", but nothing proves its effect: " + event.text);
    case EventKind::kConfirmed: return event.text.empty() ? "carried out" : event.text;
    case EventKind::kNoEffect:
      return "carried out, but it changed nothing" + (event.text.empty() ? "" : ": " + event.text);
    case EventKind::kSkipped: return "a person left it out";
    case EventKind::kStaleTarget: return "not carried out, because the screen had changed under it: " + event.text;
    case EventKind::kRefused:
    case EventKind::kFailed: return "failed: " + event.text;
    case EventKind::kPaused: return "not carried out, because a person paused the task";
    default: return event.text;
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// Describes the action in pixels of the image, the only ones that a model knows.
std::string describe_in_image(const v1::Action& action, const v1::CoordinateContract& coordinates) {
  const auto seen = contract::map_to_image(coordinates, action);
  const contract::Tool* tool = contract::tool_of(action);
  return seen || tool == nullptr ? contract::describe(seen ? *seen : action) : tool->name() + " outside the screen";
}

std::string refusal(const Reply& reply, const std::string& provider) {
  const std::string why = reply.detail.empty() ? "" : ": " + escape_foreign(reply.detail, 500);
  switch (reply.finish) {
    case Finish::kRefused: return "the model refused" + why;
    case Finish::kFiltered: return provider + " blocked the question or the answer" + why;
    case Finish::kContextFull: return "the task has become longer than the model can read" + why;
    default: return "";
  }
}

}  // namespace

ModelPlannerOptions decision_options(ModelPlannerOptions options, const v1::Decision& decision) {
  options.max_turns = std::max(decision.max_steps(), 1U);
  options.ends_with_turns = true;
  options.regions.assign(decision.regions().begin(), decision.regions().end());
  return options;
}

ModelPlanner::ModelPlanner(std::string goal, const Dialect& dialect, ModelCaller& caller, TaskView& view,
                           ModelPlannerOptions options)
    : goal_(std::move(goal)),
      dialect_(dialect),
      caller_(caller),
      view_(view),
      options_(std::move(options)),
      regions_(options_.regions),
      refinement_(caller, view, options_.sees) {
  request_.system = dialect_.system_prompt();
}

void ModelPlanner::hear(const v1::Step& step, const Event& event) {
  const auto words = outcome_text(event);
  if (!words) return;
  last_for_people_ = contract::describe(step.action()) + ": " + escape_foreign_lines(*words, kToldCharacters);
  const std::string told = describe_in_image(step.action(), coordinates_);
  const std::string outcome =
      replaced(contract::places_in_image(shown_image(), *words), contract::describe(step.action()), told);
  happened_.push_back({names_.shorten(told), names_.shorten(escape_foreign_lines(outcome, kToldCharacters))});
  const bool went_well = event.kind == EventKind::kDispatched || event.kind == EventKind::kConfirmed;
  if (went_well || event.kind == EventKind::kNoEffect) --steps_left_;
  if (!went_well) pending_.clear();
  if (!went_well) field_.reset();
}

// Empty if only regions are shown: the model cannot relate places to them.
v1::CoordinateContract ModelPlanner::shown_image() const {
  return regions_.empty() ? coordinates_ : v1::CoordinateContract();
}

void ModelPlanner::see(const Answer& answer) {
  if (answer.image) closer_looks_.push_back({answer.image->media_type(), answer.image->data(), 0, 0});
}

void ModelPlanner::resumed() {
  pending_.clear();
  field_.reset();
  remarks_.push_back("A person had paused the task, and may have changed anything meanwhile.");
}

Result<v1::Plan> ModelPlanner::decide(const v1::Observation& latest, Attempt attempt) {
  before_plan_ = latest;
  if (attempt == Attempt::kAgain) {
    pending_.clear();
    field_.reset();
  }
  v1::Observation seen = latest;
  while (true) {
    coordinates_ = seen.coordinates();
    const bool searches = !pending_.empty();
    ASSIGN_OR_RETURN(auto plan, next_pending(seen));
    if (plan) return *std::move(plan);
    if (searches) {
      // The search failed and the image may be evicted by now: observe again.
      ASSIGN_OR_RETURN(seen, view_.look(Picture::kUsual, kSettleWait));
      coordinates_ = seen.coordinates();
      before_plan_ = seen;
    }
    ASSIGN_OR_RETURN(const auto parsed, ask(seen));
    if (!parsed.remark.empty()) remarks_.push_back("Of your last reply: " + parsed.remark + ".");
    if (parsed.plan.has_done() || parsed.plan.steps_size() == 0) {
      if (!parsed.plan.has_done())
        remarks_.push_back("Your last reply had neither steps nor done; the turn was wasted.");
      v1::Plan decided = parsed.plan;
      decided.set_frame_id(seen.frame_id());
      return decided;
    }
    queue(parsed.plan, seen.frame_id());
  }
}

// Drops the steps after an ask_user, because the model decided them without the answer.
void ModelPlanner::queue(const v1::Plan& plan, const std::string& frame_id) {
  pending_.clear();
  for (const v1::Step& step : plan.steps()) {
    if (!pending_.empty() && pending_.back().action().has_ask_user()) {
      remarks_.push_back("Of your last reply, nothing after ask_user was carried out: decide it with the answer.");
      return;
    }
    pending_.push_back(step);
    if (step.action().has_mouse() || step.action().has_drag()) pending_.back().set_frame_id(frame_id);
  }
}

// A model would otherwise look at a desktop that does not show the program yet. What it launches may have no window, so
// that the task goes on in any case.
Result<Proof> ModelPlanner::verify_launch(const v1::Step& step) {
  const Launched launched{.command = step.action().launch().command(), .others_open = kOthersOpen};
  const auto proof = await_launched_window(view_, before_plan_, launched);
  if (proof || is_lost_or_cancelled(proof.error())) return proof;
  // Nothing could be observed: the next look tells why.
  if (proof.error().code != Code::kFailedPrecondition) return Proof::kByOutcome;
  happened_.pop_back();  // That it was carried out, which the failure tells, too.
  hear(step, {EventKind::kFailed, proof.error().message});
  if (on_problem_) on_problem_(v1::PartFailed::STAGE_EFFECT, last_for_people_);
  return Proof::kEndsPlan;
}

// A page may move the focus from the field that was clicked to another one, which would get the text.
Result<Proof> ModelPlanner::verify(const v1::Step& step, EventKind outcome) {
  if (step.action().has_launch() && outcome != EventKind::kSkipped) return verify_launch(step);
  if (!field_ || step.action().ui_click().element_id() != field_->element_id) return Proof::kByOutcome;
  const Field field = *std::exchange(field_, std::nullopt);
  v1::UiNode node;
  node.set_element_id(field.element_id);
  node.set_window_id(field.write.keys_to_window());
  ASSIGN_OR_RETURN(const FieldFocus focus, await_field_focus(view_, field.name, node));
  if (focus.elsewhere.empty()) return Proof::kByOutcome;
  hear(field.write, {EventKind::kFailed, describe_target(field.name) + " did not get the keyboard focus, which " +
                                             focus.elsewhere + " has, so nothing was typed"});
  return Proof::kEndsPlan;
}

// The pending steps before the next described target; nullopt if the model must be asked.
Result<std::optional<v1::Plan>> ModelPlanner::next_pending(const v1::Observation& latest) {
  v1::Plan plan;
  plan.set_frame_id(latest.frame_id());
  while (!pending_.empty()) {
    const v1::Step step = pending_.front();
    const bool described = is_described(step.action());
    if (described && plan.steps_size() > 0) break;
    pending_.pop_front();
    if (!described) {
      *plan.add_steps() = step;
      continue;
    }
    auto refined = refinement_.refine(step);
    if (!refined && is_lost_or_cancelled(refined.error())) return refined.error();
    if (!refined) {
      hear(step, {EventKind::kFailed, refined.error().message});
      if (on_problem_) on_problem_(v1::PartFailed::STAGE_TARGET, last_for_people_);
      return std::optional<v1::Plan>();
    }
    steps_left_ += static_cast<int>(refined->size()) - 1;
    if (refined->size() == 2 && refined->front().action().has_ui_click()) {
      field_.emplace(
          Field{description_in(step.action()), refined->front().action().ui_click().element_id(), refined->back()});
    }
    for (v1::Step& concrete : *refined) *plan.add_steps() = std::move(concrete);
    break;
  }
  if (plan.steps_size() == 0) return std::optional<v1::Plan>();
  name_clicked_elements(plan, latest, view_);
  return std::optional(std::move(plan));
}

Result<contract::ParsedPlan> ModelPlanner::ask(const v1::Observation& latest) {
  if (turn_ >= options_.max_turns && options_.ends_with_turns) {
    if (steps_left_ > 0) {
      const std::string why = last_for_people_.empty() ? "" : ": " + last_for_people_;
      return Error{Code::kFailedPrecondition, "the last step was not carried out" + why};
    }
    contract::ParsedPlan enough;
    enough.plan.set_done(std::to_string(turn_) + (turn_ == 1 ? " step was" : " steps were") + " taken, as was asked");
    return enough;
  }
  if (turn_ >= options_.max_turns) {
    return Error{Code::kResourceExhausted,
                 "the goal was not reached within " + std::to_string(options_.max_turns) + " turns of the model"};
  }
  forget_images();
  // The last question has no answer after a cancelled call.
  if (!request_.messages.empty() && request_.messages.back().from == Message::From::kUser) request_.messages.pop_back();
  ASSIGN_OR_RETURN(auto message, describe_turn(latest));
  request_.messages.push_back(std::move(message));
  dialect_.ask_for(request_, latest);
  request_.max_output_tokens = options_.max_output_tokens;
  for (int repairs = 0;; ++repairs) {
    ASSIGN_OR_RETURN(const Reply reply, caller_.ask(request_));
    if (const std::string why = refusal(reply, caller_.model().provider()); !why.empty()) {
      return Error{Code::kFailedPrecondition, why};
    }
    auto parsed = read(reply, latest);
    const bool silent = reply.text.empty() && reply.calls.empty();
    request_.messages.push_back({.from = Message::From::kModel,
                                 .text = silent ? "(nothing)" : reply.text,
                                 .calls = reply.calls,
                                 .verbatim = reply.verbatim});
    if (parsed) {
      const bool cut = !parsed->remark.empty();
      steps_left_ = parsed->plan.steps_size() + (cut ? 1 : 0);
      ++turn_;
      happened_.clear();
      last_for_people_.clear();
      remarks_.clear();
      closer_looks_.clear();
      return parsed;
    }
    if (on_problem_) on_problem_(v1::PartFailed::STAGE_REPLY, parsed.error().message);
    if (repairs >= kMaxRepairs) {
      return Error{Code::kInvalidArgument, "the model's replies could not be used, " + std::to_string(repairs + 1) +
                                               " in a row; the last: " + parsed.error().message};
    }
    steps_left_ = 1;
    Message told{.text = dialect_.repair_prompt(parsed.error().message)};
    for (const ToolCall& call : reply.calls) told.results.push_back({call, "not carried out", false});
    request_.messages.push_back(std::move(told));
    request_.max_output_tokens = std::max(request_.max_output_tokens / 2, kFewestOutputTokens);
  }
}

// Checks the whole reply before any step counts: its form, places within the image, existing elements.
Result<contract::ParsedPlan> ModelPlanner::read(const Reply& reply, const v1::Observation& latest) {
  if (reply.finish == Finish::kLength) {
    return Error{Code::kInvalidArgument, "it was cut off, because it was too long"};
  }
  if (reply.finish == Finish::kMalformed) {
    return Error{Code::kInvalidArgument, "its call could not be read: " + escape_foreign(reply.detail, 200)};
  }
  ASSIGN_OR_RETURN(auto parsed, dialect_.read(reply, latest));
  for (int i = 0; i < parsed.plan.steps_size(); ++i) {
    v1::Action& action = *parsed.plan.mutable_steps(i)->mutable_action();
    auto meant = resolve(action, latest);
    if (!meant) return Error{meant.error().code, "steps[" + std::to_string(i) + "] " + meant.error().message};
    action = *std::move(meant);
  }
  return parsed;
}

Result<v1::Action> ModelPlanner::resolve(const v1::Action& action, const v1::Observation& latest) const {
  ASSIGN_OR_RETURN(const v1::Action mapped, contract::map_to_desktop(latest.coordinates(), action));
  return names_.resolve(mapped);
}

Result<Message> ModelPlanner::describe_turn(const v1::Observation& latest) {
  Message message;
  message.text = turn_text({.goal = goal_,
                            .number = turn_ + 1,
                            .of = options_.max_turns,
                            .happened = happened_,
                            .remarks = remarks_,
                            .first = turn_ == 0,
                            .whole_screen = regions_.empty()},
                           latest);
  message.results = results_of_calls();
  RETURN_IF_ERROR(show(latest, message));
  return message;
}

// Each call gets the outcome of the whole reply, because the calls of a reply succeed or fail together.
std::vector<ToolResult> ModelPlanner::results_of_calls() const {
  std::vector<ToolResult> results;
  if (request_.messages.empty()) return results;
  const bool done = steps_left_ == 0;
  for (const ToolCall& call : request_.messages.back().calls) {
    results.push_back({call, done ? "carried out" : "not carried out, or not all of it", done});
  }
  return results;
}

Result<void> ModelPlanner::show(const v1::Observation& latest, Message& message) {
  if (options_.sees == Sees::kElements) {
    ASSIGN_OR_RETURN(const auto tree, view_.ui_tree());
    message.text += "You cannot see the screenshot. What shows:\n" +
                    list_elements(tree, latest.coordinates(), names_, kMostElements);
    return ok();
  }
  for (const v1::Decision::Region& region : regions_) {
    ASSIGN_OR_RETURN(auto part, view_.zoom(region.area()));
    message.images.push_back({part.media_type(), std::move(*part.mutable_data()), 0, 0});
    message.text += "Picture " + std::to_string(message.images.size()) + ": " + quote_foreign(region.name()) + "\n";
  }
  if (!regions_.empty()) return ok();
  std::vector<std::string> marked;
  for (const v1::UiNode& node : latest.marked()) marked.push_back(node.element_id());
  names_.number(std::move(marked));
  message.text += list_marks(latest);
  ASSIGN_OR_RETURN(auto image, view_.image(latest.image_hash()));
  message.images.push_back({image.media_type(), std::move(*image.mutable_data()), latest.coordinates().image_width(),
                            latest.coordinates().image_height()});
  if (!closer_looks_.empty()) {
    message.text +=
        "After the screenshot come the parts that you looked at closer, enlarged; places stay those of the "
        "screenshot.\n";
  }
  message.images.insert(message.images.end(), closer_looks_.begin(), closer_looks_.end());
  return ok();
}

// Old images would make the prompt grow with each turn.
void ModelPlanner::forget_images() {
  for (Message& message : request_.messages) {
    if (message.images.empty()) continue;
    message.images.clear();
    message.text += "(The screenshot of this turn is left out here.)\n";
  }
}

}  // namespace da::planner::model
