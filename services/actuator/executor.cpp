#include "services/actuator/executor.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/digest.h"
#include "lib/contract/evidence/staleness.h"
#include "lib/contract/evidence/visual_similarity.h"
#include "lib/contract/json/parse.h"
#include "lib/contract/named_action.h"
#include "lib/contract/repetition.h"
#include "lib/os/fault_point/fault_point.h"
#include "services/actuator/click/bring_into_view.h"
#include "services/actuator/desktop_proto.h"
#include "services/actuator/frames/picture.h"
#include "services/actuator/outcomes.h"
#include "services/actuator/privacy/secret_gate.h"
#include "services/actuator/target/target_evidence.h"
#include "services/actuator/target/target_watch.h"

namespace da::actuator {
namespace {

// If writing the intent takes longer, the target may have changed meanwhile.
constexpr Milliseconds kSlowIntent{100};

// Sets a problem if the places of a click or drag look otherwise than in the frame in which they were chosen.
void compare_with_seen(const SeenLook& seen, ActionTarget& target) {
  const auto differs = [&](const std::optional<Neighbourhood>& now, const std::optional<Element>& element) {
    const auto before = now ? seen(now->area) : std::nullopt;
    if (!before) return false;
    const auto surface = element ? contract::surface_of(element->role, element->name) : contract::Surface::kContent;
    return !contract::looks_alike(*before, now->look, now->area.width, surface);
  };
  if (!target.problem.empty()) return;
  if (!differs(target.neighbourhood, target.element) && !differs(target.drop_neighbourhood, target.drop_element))
    return;
  target.problem = "the screen around the target has changed since it was chosen";
  target.problem_code = v1::Outcome::CODE_STALE_TARGET;
}

// There was no click yet.
v1::Outcome not_brought_into_view(const Error& error) {
  if (error.code == Code::kFailedPrecondition || error.code == Code::kNotFound) {
    return outcome_of(v1::Outcome::KIND_FAILED, v1::Outcome::CODE_NOT_ACTIONABLE, error.message);
  }
  return from_progress({.total = 1, .stopped = error});
}

bool succeeded(const v1::Outcome& outcome) {
  return outcome.kind() == v1::Outcome::KIND_DISPATCHED || outcome.kind() == v1::Outcome::KIND_CONFIRMED ||
         outcome.kind() == v1::Outcome::KIND_NO_EFFECT;
}

}  // namespace

Executor::Executor(SharedDesktop& shared, std::string desktop_id, GrantCheck grants, Ledger& ledger,
                   service::StopLatch& stops, bus::Publisher& bus, const Clock& clock, ExecutorOptions options)
    : shared_(shared),
      desktop_id_(std::move(desktop_id)),
      grants_(std::move(grants)),
      ledger_(ledger),
      bus_(bus),
      clock_(clock),
      overlay_(options.overlay),
      stop_state_(stops, bus, clock),
      held_(shared.desktop, bus, clock),
      boot_id_(random_hex(16)),
      finder_(shared.desktop, shared.elements, shared.mask, clock),
      action_executor_(shared.desktop, shared.mask.secrets(), clock, options.launch_by) {
  if (const auto written = ledger_.started(boot_id_); !written) spdlog::error("{}", written.error().message);
}

// Also sets a problem if secrets forbid the action, and marks masked titles.
Result<ActionTarget> Executor::find_target(const v1::Action& action) {
  ASSIGN_OR_RETURN(ActionTarget target, finder_.find(action));
  if (target.problem.empty()) {
    if (auto objection = secret_objection(action, target, shared_.mask)) {
      target.problem = std::move(objection->why);
      target.problem_code = objection->code;
    }
  }
  finder_.expect_row(row_, target);
  for (auto* window : {&target.foreground, &target.window, &target.cover, &target.drop_window}) {
    if (*window) shared_.mask.hide(**window);
  }
  for (WindowInfo& window : target.passed_windows) shared_.mask.hide(window);
  // The problem may quote the action, and the planner, which wrote the action, reads it. A serialised message contains
  // its texts unchanged.
  shared_.mask.hide(target.problem, action.SerializeAsString());
  return target;
}

std::optional<std::string> Executor::difference(const v1::Action& action, const ActionTarget& prepared,
                                                const ActionTarget& now) {
  if (!now.problem.empty()) return now.problem;
  // Buttons of a program without elements may have changed places, also with equal looks.
  const bool by_sight = action.has_mouse() && !prepared.element && !now.element && prepared.window && now.window;
  if (by_sight && prepared.window->part != now.window->part) return "another part of the window is at the target";
  return contract::staleness(action, evidence_of(prepared, shared_.elements), evidence_of(now, shared_.elements),
                             contract::SeenAt::kPrepare);
}

Result<contract::SealedEvidence> Executor::prepare(const v1::PrepareRequest& request, const SeenLook& seen) {
  RETURN_IF_ERROR(contract::validate(request.action()));
  const std::lock_guard lock(shared_.mutex);
  DA_FAULT_POINT("actuator.on_prepare");
  if (request.task_id() != task_id_) held_.release("another task began");
  task_id_ = request.task_id();
  shared_.elements.enter_task(request.task_id());
  shared_.mask.fields().enter_task(request.task_id());
  row_ = request.row();
  ASSIGN_OR_RETURN(ActionTarget target, find_target(request.action()));
  finder_.expect_receiver(request.keys_to_window(), target);
  if (seen) compare_with_seen(seen, target);
  PreparedAction prepared{.id = random_hex(16),
                          .challenge = {.boot_id = boot_id_,
                                        .action_digest = contract::digest(request.action()),
                                        .desktop_id = desktop_id_,
                                        .task_id = request.task_id(),
                                        .step_id = request.step_id(),
                                        .issued = clock_.now()},
                          .target = std::move(target),
                          .justification = request.justification(),
                          .row = request.row()};
  // Whether or not the secret was typed yet: only a person sees it, who cannot be led to confirm a guess.
  shared_.mask.secrets().redact(prepared.justification, shared_.mask.secrets().names());
  ASSIGN_OR_RETURN(v1::Evidence evidence,
                   masked_evidence(shared_.desktop, shared_.mask, shared_.elements, clock_, prepared.target));
  // file_delete has no place on the desktop to show.
  if (request.with_picture() && !evidence.has_file_size()) {
    if (auto picture = take_picture(shared_.desktop, shared_.mask, prepared.target, clock_)) {
      evidence.set_picture_png(*std::move(picture));
    } else {
      spdlog::warn("no picture of the target: {}", picture.error().message);
    }
  }
  evidence.set_boot_id(boot_id_);
  evidence.set_challenge(prepared.id);
  evidence.set_action_digest(prepared.challenge.action_digest);
  const bool shown = overlay_ != nullptr && request.with_picture();  // Only questions have a picture.
  if (shown) evidence.set_approval_words(approval_words_.of(request.action(), evidence));
  auto sealed = contract::seal(std::move(evidence));
  prepared.challenge.evidence_digest = sealed.digest();
  if (shown) {
    std::string question = contract::describe(request.action(), sealed.evidence);
    shared_.mask.secrets().redact(question, shared_.mask.secrets().names());
    overlay_->prepared(prepared.id, {.justification = prepared.justification,
                                     .marker = place_of(request.action(), prepared.target),
                                     .question = std::move(question),
                                     .approval_words = sealed.evidence.approval_words()});
  }
  prepared_.add(std::move(prepared));
  DA_FAULT_POINT("actuator.after_prepare");
  return sealed;
}

v1::Outcome Executor::execute(const v1::ExecuteRequest& request, const std::function<bool()>& cancelled) {
  const UnansweredCalls::Call call(unanswered_);
  const HeldInput::Step step(held_);
  const std::lock_guard lock(shared_.mutex);
  DA_FAULT_POINT("actuator.on_execute");
  v1::Outcome outcome;
  auto claims = grants_.verify(request.grant());
  if (claims) {
    outcome = execute_granted(request, *claims, cancelled);
    outcome.set_step_id(claims->step_id());
    outcome.set_grant_id(claims->grant_id());
  } else {
    outcome = refusal(v1::Outcome::CODE_BAD_GRANT, claims.error().message);
  }
  // The step that a held button was meant for has failed.
  if (!succeeded(outcome)) {
    const bool held_button = shared_.desktop.input().button_held().has_value();
    shared_.desktop.input().release_all();
    if (held_button) {
      outcome.set_message(outcome.message() + "; the held button was released where it had been pressed");
    }
  }
  if (const auto* tool = contract::tool_of(request.action())) outcome.set_tool(tool->name());
  // step_id comes from the planner and message from the desktop: neither may start a new log line.
  spdlog::info("{} {}: {} {}", outcome.tool(), escape_foreign(outcome.step_id()),
               v1::Outcome::Kind_Name(outcome.kind()), escape_foreign(outcome.message()));
  DA_FAULT_POINT("actuator.before_publish");
  bus_.publish(outcome, claims ? claims->task_id() : std::string(), outcome.step_id());
  outcome.clear_header();
  DA_FAULT_POINT("actuator.before_reply");
  return outcome;
}

v1::Outcome Executor::execute_granted(const v1::ExecuteRequest& request, const v1::GrantClaims& claims,
                                      const std::function<bool()>& cancelled) {
  v1::Outcome record;
  record.set_grant_id(claims.grant_id());
  record.set_step_id(claims.step_id());
  auto prepared = prepared_.take(claims.challenge());
  if (!prepared) {
    // A challenge is used once. A repeated call gets its answer from the ledger and starts nothing.
    if (auto known = ledger_.find(claims.grant_id())) return *std::move(known);
    if (!ledger_.tells_all_of(claims.boot_id())) {
      return outcome_of(v1::Outcome::KIND_UNKNOWN, v1::Outcome::CODE_BAD_GRANT,
                        "the grant is not valid any more, and the ledger has no records from its time: it is unknown "
                        "whether the grant was used");
    }
    return refusal(v1::Outcome::CODE_BAD_GRANT, "the grant does not hold: its challenge is used up or unknown");
  }
  const auto valid = GrantCheck::check(claims, prepared->challenge, contract::digest(request.action()), clock_.now());
  if (!valid) return refusal(v1::Outcome::CODE_BAD_GRANT, valid.error().message);
  if (const auto why = stop_reason()) return refusal(why->code, why->message);
  if (!prepared->target.problem.empty()) return refusal(prepared->target.problem_code, prepared->target.problem);

  row_ = prepared->row;
  const auto now = find_target(request.action());
  if (!now) return outcome_of(v1::Outcome::KIND_FAILED, v1::Outcome::CODE_DESKTOP_ERROR, now.error().message);
  if (const auto changed = difference(request.action(), prepared->target, *now)) {
    return refusal(v1::Outcome::CODE_STALE_TARGET, *changed);
  }
  DA_FAULT_POINT("actuator.before_intent");
  const MonoTime asked = clock_.now();
  auto known = ledger_.begin(record);
  if (!known) {
    return refusal(v1::Outcome::CODE_DESKTOP_ERROR,
                   "the action was not started, because its intent could not be written: " + known.error().message);
  }
  if (*known) return **std::move(known);
  DA_FAULT_POINT("actuator.after_intent");
  auto objection = objection_after_intent(request, claims, *prepared, asked, cancelled);
  if (const auto secrets = typed_secrets(request.action()); !objection && !secrets.empty()) {
    // Masks the field before the first character, because a partly typed secret must not be seen either.
    if (const auto masked = shared_.mask.fields().add(*now->focused, *now->foreground, secrets); !masked) {
      objection = refusal(v1::Outcome::CODE_DESKTOP_ERROR, masked.error().message);
    }
  }
  v1::Outcome outcome =
      objection ? *std::move(objection) : act_in_sight(request.action(), *now, prepared->justification, cancelled);
  // It may quote the name of an element.
  shared_.mask.hide(*outcome.mutable_message(), request.action().SerializeAsString());
  DA_FAULT_POINT("actuator.before_outcome");
  outcome.set_grant_id(claims.grant_id());
  outcome.set_step_id(claims.step_id());
  if (auto written = ledger_.finish(outcome); !written) spdlog::error("{}", written.error().message);
  DA_FAULT_POINT("actuator.after_outcome");
  return outcome;
}

// Repeats the checks if writing the intent was slow.
std::optional<v1::Outcome> Executor::objection_after_intent(const v1::ExecuteRequest& request,
                                                            const v1::GrantClaims& claims,
                                                            const PreparedAction& prepared, MonoTime asked,
                                                            const std::function<bool()>& cancelled) {
  if (clock_.now() - asked < kSlowIntent) return std::nullopt;
  if (cancelled()) return refusal(v1::Outcome::CODE_CANCELLED, "the step was cancelled before it started");
  const auto valid = GrantCheck::check(claims, prepared.challenge, contract::digest(request.action()), clock_.now());
  if (!valid) {
    return refusal(v1::Outcome::CODE_BAD_GRANT, valid.error().message + ": writing the intent took too long");
  }
  const auto now = find_target(request.action());
  if (!now) return refusal(v1::Outcome::CODE_DESKTOP_ERROR, now.error().message);
  if (!now->problem.empty()) return refusal(now->problem_code, now->problem);
  if (const auto changed = difference(request.action(), prepared.target, *now)) {
    return refusal(v1::Outcome::CODE_STALE_TARGET, *changed);
  }
  return std::nullopt;
}

Result<void> Executor::notice_session_obstacle() {
  ASSIGN_OR_RETURN(const auto obstacle, shared_.desktop.session().obstacle());
  if (obstacle) pause(to_proto(obstacle->kind), obstacle->reason);
  return ok();
}

std::optional<std::string> Executor::hide_reason() {
  if (const auto noticed = notice_session_obstacle(); !noticed) return noticed.error().message;
  return stop_state_.hide_reason();
}

std::optional<StopState::Reason> Executor::stop_reason() {
  shared_.desktop.person_watch().look();
  if (const auto noticed = notice_session_obstacle(); !noticed) {
    return StopState::Reason{v1::Outcome::CODE_DESKTOP_ERROR, noticed.error().message};
  }
  if (auto stopped = stop_state_.stop_reason()) return stopped;
  const auto blind = shared_.desktop.person_watch().blindness();
  if (!blind) return std::nullopt;
  return StopState::Reason{v1::Outcome::CODE_UNWATCHED, "a person's input may go unseen now: " + *blind};
}

v1::Outcome Executor::act_in_sight(const v1::Action& action, const ActionTarget& target,
                                   const std::string& justification, const std::function<bool()>& cancelled) {
  if (overlay_ == nullptr) return act(action, target, cancelled);
  overlay_->step_begins(
      {.justification = justification, .marker = place_of(action, target), .question = {}, .approval_words = {}});
  v1::Outcome outcome = act(action, target, cancelled);
  overlay_->step_ends();
  return outcome;
}

// Checks again for a stop, because finding the target and writing the intent take time.
v1::Outcome Executor::act(const v1::Action& action, const ActionTarget& target,
                          const std::function<bool()>& cancelled) {
  if (const auto why = stop_reason()) return refusal(why->code, why->message);
  std::optional<StopState::Reason> stopped;
  v1::Outcome outcome = perform(action, target, cancelled, stopped);
  if (succeeded(outcome)) return outcome;
  // The desktop's input also stops by itself: at a locked session, for a person, and after the kill switch. A screen
  // locker that has just appeared may have been noticed as another receiver of the keys.
  const bool was_interrupted =
      outcome.kind() == v1::Outcome::KIND_INTERRUPTED && outcome.code() == v1::Outcome::CODE_STALE_TARGET;
  const bool may_be_stopped =
      was_interrupted || outcome.kind() == v1::Outcome::KIND_FAILED || outcome.code() == v1::Outcome::CODE_HALTED;
  if (!stopped && may_be_stopped) {
    stopped = stop_reason();
    if (stopped) outcome.set_kind(v1::Outcome::KIND_INTERRUPTED);
  }
  // The first key of the kill switch pauses, the last one halts: reads the final reason.
  if (stopped && stopped->code == v1::Outcome::CODE_PAUSED) stopped = stop_state_.stop_reason();
  if (stopped && outcome.kind() == v1::Outcome::KIND_INTERRUPTED) {
    outcome.set_code(stopped->code);
    outcome.set_message(stopped->message);
  }
  return outcome;
}

v1::Outcome Executor::perform(const v1::Action& action, const ActionTarget& target,
                              const std::function<bool()>& cancelled, std::optional<StopState::Reason>& stopped) {
  const Checkpoint checkpoint = make_checkpoint(action, target, cancelled, stopped);
  const bool scrolled_out = target.by_name && target.element->has(ElementState::kScrolledOut);
  if (!scrolled_out) return perform_shown(action, target, cancelled, stopped);
  if (!target.window) return refusal(v1::Outcome::CODE_NOT_ACTIONABLE, "the window of the element is unknown");
  const auto shown = bring_into_view(shared_.desktop, *target.window, *target.element, checkpoint, clock_);
  if (!shown)
    return stopped ? from_progress({.total = 1, .stopped = shown.error()}) : not_brought_into_view(shown.error());
  const auto now = find_target(action);
  if (!now) return outcome_of(v1::Outcome::KIND_FAILED, v1::Outcome::CODE_DESKTOP_ERROR, now.error().message);
  if (const auto changed = difference(action, target, *now)) return refusal(v1::Outcome::CODE_STALE_TARGET, *changed);
  return perform_shown(action, *now, cancelled, stopped);
}

// A page's header or banner may cover the element.
v1::Outcome Executor::perform_shown(const v1::Action& action, const ActionTarget& target,
                                    const std::function<bool()>& cancelled, std::optional<StopState::Reason>& stopped) {
  const Checkpoint checkpoint = make_checkpoint(action, target, cancelled, stopped);
  const v1::Outcome outcome = action_executor_.perform(action, target, checkpoint);
  const bool may_be_covered = !contract::was_begun(outcome) && outcome.code() == v1::Outcome::CODE_STALE_TARGET &&
                              target.by_name && target.window;
  if (!may_be_covered) return outcome;
  ActionTarget before = target;
  before.element->states.push_back(ElementState::kScrolledOut);
  const Checkpoint meanwhile = make_checkpoint(action, before, cancelled, stopped);
  if (!scroll_clear(shared_.desktop, *target.window, *target.element, meanwhile, clock_)) return outcome;
  const auto now = find_target(action);
  if (!now) return outcome_of(v1::Outcome::KIND_FAILED, v1::Outcome::CODE_DESKTOP_ERROR, now.error().message);
  if (const auto changed = difference(action, target, *now)) return refusal(v1::Outcome::CODE_STALE_TARGET, *changed);
  return action_executor_.perform(action, *now, make_checkpoint(action, *now, cancelled, stopped));
}

Checkpoint Executor::make_checkpoint(const v1::Action& action, const ActionTarget& target,
                                     const std::function<bool()>& cancelled,
                                     std::optional<StopState::Reason>& stopped) {
  return [this, &stopped, still_meant = watch_target(shared_.desktop, shared_.mask, action, target, clock_),
          cancelled]() -> Result<void> {
    DA_FAULT_POINT("actuator.before_chunk");
    if (auto why = stop_reason()) {
      stopped = std::move(why);
      return Error{Code::kFailedPrecondition, stopped->message};
    }
    if (cancelled()) return Error{Code::kCancelled, "the step was cancelled"};
    return still_meant();
  };
}

void Executor::halt(const std::string& reason, const std::string& by) {
  stop_state_.halt(reason, by);
  held_.release("the desktop was halted");
  stop_state_.remember_halt();
}

void Executor::pause(v1::Pause::Cause cause, const std::string& reason) {
  stop_state_.pause(cause, reason);
  held_.release("the desktop was paused");
}

Result<void> Executor::resume() { return stop_state_.resume(); }

void Executor::person_acts(const std::string& how) {
  if (held_.acts_or_has_acted()) pause(v1::Pause::CAUSE_PERSON, how);
}

void Executor::check_held_input() { held_.check(stop_state_.stop_reason().has_value()); }

}  // namespace da::actuator
