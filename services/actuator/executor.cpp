#include "services/actuator/executor.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>

#include "lib/base/fault_point.h"
#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/digest.h"
#include "lib/contract/parse.h"
#include "services/actuator/bring_into_view.h"
#include "services/actuator/desktop_proto.h"
#include "services/actuator/outcomes.h"
#include "services/actuator/picture.h"
#include "services/actuator/same_target.h"
#include "services/actuator/secret_gate.h"
#include "services/actuator/target_watch.h"

namespace da::actuator {
namespace {

// Prepared actions that wait for their grant; the oldest go first.
constexpr std::size_t kMaxPrepared = 64;
// A disk that takes longer for the intent leaves the target time to change.
constexpr Milliseconds kSlowIntent{100};

v1::Outcome outcome_of(v1::Outcome::Kind kind, v1::Outcome::Code code, std::string message) {
  v1::Outcome outcome = da::actuator::outcome_of(kind, std::move(message));
  outcome.set_code(code);
  return outcome;
}

v1::Outcome refused(v1::Outcome::Code code, std::string message) {
  return outcome_of(v1::Outcome::KIND_REFUSED, code, std::move(message));
}

std::string digest_of(const FileIdentity& file) {
  return blake2b(std::to_string(file.device) + "," + std::to_string(file.inode) + "," + std::to_string(file.changed_ns),
                 16);
}

// The brightness of each pixel, black where it is masked.
std::string look_without(const std::vector<MaskedArea>& masked, const Neighbourhood& around) {
  std::string look = around.look;
  const auto width = static_cast<std::size_t>(around.area.width);
  for (const MaskedArea& mask : masked) {
    const Rect covered = intersection(mask.area, around.area);
    if (covered.empty()) continue;
    for (int y = covered.y; y < covered.bottom(); ++y) {
      const auto row = static_cast<std::size_t>(y - around.area.y) * width;
      const auto column = static_cast<std::size_t>(covered.x - around.area.x);
      std::fill_n(look.begin() + static_cast<std::ptrdiff_t>(row + column), covered.width, '\0');
    }
  }
  return look;
}

// Nobody has clicked yet.
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

class Executor::Acting {
 public:
  explicit Acting(Executor& executor) : executor_(executor) { count(1); }
  ~Acting() { count(-1); }
  Acting(const Acting&) = delete;
  Acting& operator=(const Acting&) = delete;

 private:
  void count(int change) {
    const std::lock_guard lock(executor_.acting_mutex_);
    executor_.acting_ += change;
    executor_.last_act_ = executor_.clock_.now();
    executor_.acting_changed_.notify_all();
  }
  Executor& executor_;
};

Executor::Executor(SharedDesktop& shared, std::string desktop_id, GrantCheck grants, Ledger& ledger,
                   service::HaltLatch& halt, bus::Publisher& bus, const Clock& clock)
    : shared_(shared),
      desktop_id_(std::move(desktop_id)),
      grants_(std::move(grants)),
      ledger_(ledger),
      bus_(bus),
      clock_(clock),
      restraint_(halt, bus, clock),
      boot_id_(random_hex(16)),
      finder_(shared.desktop, shared.elements, shared.mask, clock),
      performer_(shared.desktop, shared.mask.secrets(), clock) {
  if (const auto written = ledger_.started(boot_id_); !written) spdlog::error("{}", written.error().message);
}

// The target with what speaks against it as far as secrets go.
Result<Target> Executor::find_target(const v1::Action& action) {
  ASSIGN_OR_RETURN(Target target, finder_.find(action));
  if (target.problem.empty()) {
    if (auto objection = secret_objection(action, target, shared_.mask)) {
      target.problem = std::move(objection->why);
      target.problem_code = objection->code;
    }
  }
  for (auto* window : {&target.foreground, &target.window, &target.cover, &target.drop_window}) {
    if (*window) shared_.mask.hide(**window);
  }
  shared_.mask.hide(target.problem);
  return target;
}

Result<v1::Evidence> Executor::to_evidence(const Target& target) {
  ASSIGN_OR_RETURN(const Masked masked, shared_.mask.locate(shared_.desktop, clock_));
  const auto describe = [&](Element element) {
    shared_.mask.hide_text(element, masked);
    return to_proto(element, shared_.elements);
  };
  const auto describe_window = [](const WindowInfo& window) {
    v1::Window described = to_proto(window);
    described.set_title(window.title);  // Masked or not: rules judge by it.
    return described;
  };
  v1::Evidence evidence;
  if (target.foreground) *evidence.mutable_foreground() = describe_window(*target.foreground);
  if (target.focused) *evidence.mutable_focused_element() = describe(*target.focused);
  if (target.element) *evidence.mutable_target_element() = describe(*target.element);
  if (target.window) *evidence.mutable_target_window() = describe_window(*target.window);
  if (target.drop_window) *evidence.mutable_drop_window() = describe_window(*target.drop_window);
  if (target.drop_element) *evidence.mutable_drop_element() = describe(*target.drop_element);
  evidence.set_focus_unread(target.focus_unread);
  evidence.set_target_unread(target.element_unread);
  evidence.set_drop_unread(target.drop_unread);
  if (target.point) *evidence.mutable_target_point() = contract::to_proto(*target.point);
  if (target.neighbourhood) {
    evidence.set_target_pixels(look_without(masked.areas, *target.neighbourhood));
    *evidence.mutable_target_area() = contract::to_proto(target.neighbourhood->area);
  }
  if (target.file) {
    evidence.set_canonical_path(target.file->canonical_path);
    evidence.set_file_identity(digest_of(*target.file));
    if (!target.launch) evidence.set_file_size(target.file->size);
  }
  if (target.launch) {
    evidence.set_canonical_path(target.launch->executable);
    for (const std::string& word : target.launch->argv) evidence.add_argv(word);
  }
  evidence.set_button_held(target.button_held.has_value());
  evidence.set_problem(target.problem);
  evidence.set_problem_code(target.problem_code);
  return evidence;
}

Result<v1::Evidence> Executor::prepare(const v1::PrepareRequest& request) {
  RETURN_IF_ERROR(contract::validate(request.action()));
  const std::lock_guard lock(shared_.mutex);
  DA_FAULT_POINT("actuator.on_prepare");
  if (request.task_id() != task_id_) shared_.desktop.input().release_all();
  task_id_ = request.task_id();
  shared_.elements.enter_task(request.task_id());
  shared_.mask.fields().enter_task(request.task_id());
  ASSIGN_OR_RETURN(Target target, find_target(request.action()));
  Prepared prepared{.id = random_hex(16),
                    .challenge = {.boot_id = boot_id_,
                                  .action_digest = contract::digest(request.action()),
                                  .desktop_id = desktop_id_,
                                  .task_id = request.task_id(),
                                  .step_id = request.step_id(),
                                  .issued = clock_.now()},
                    .target = std::move(target)};
  ASSIGN_OR_RETURN(v1::Evidence evidence, to_evidence(prepared.target));
  // A file does not show on the desktop.
  if (request.with_picture() && !evidence.has_file_size()) {
    if (auto picture = take_picture(shared_.desktop, shared_.mask, prepared.target, clock_)) {
      evidence.set_picture_png(*std::move(picture));
    } else {
      spdlog::warn("no picture of the target: {}", picture.error().message);
    }
  }
  evidence.set_boot_id(boot_id_);
  evidence.set_challenge(prepared.id);
  evidence.set_challenge_mono_ns(prepared.challenge.issued.time_since_epoch().count());
  evidence.set_action_digest(prepared.challenge.action_digest);
  prepared.challenge.evidence_digest = contract::digest(evidence);
  prepared_.push_back(std::move(prepared));
  forget_surplus_prepared();
  DA_FAULT_POINT("actuator.after_prepare");
  return evidence;
}

v1::Outcome Executor::execute(const v1::ExecuteRequest& request, const std::function<bool()>& cancelled) {
  const Acting acting(*this);
  const std::lock_guard lock(shared_.mutex);
  DA_FAULT_POINT("actuator.on_execute");
  v1::Outcome outcome;
  auto claims = grants_.verify(request.grant());
  if (claims) {
    outcome = execute_granted(request, *claims, cancelled);
    outcome.set_step_id(claims->step_id());
    outcome.set_grant_id(claims->grant_id());
  } else {
    outcome = refused(v1::Outcome::CODE_BAD_GRANT, claims.error().message);
  }
  // The plan goes on without what a held button was for.
  if (!succeeded(outcome)) shared_.desktop.input().release_all();
  if (const auto* tool = contract::tool_of(request.action())) outcome.set_tool(tool->name());
  // The planner's word, and what the desktop says: neither may begin a line of its own.
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
  auto prepared = take_prepared(claims.challenge());
  if (!prepared) {
    // Single use. A repeated call is answered from the ledger, and begins nothing.
    if (auto known = ledger_.find(claims.grant_id())) return *std::move(known);
    if (!ledger_.tells_all_of(claims.boot_id())) {
      return outcome_of(v1::Outcome::KIND_UNKNOWN, v1::Outcome::CODE_BAD_GRANT,
                        "the grant does not hold any more, and the ledger does not reach back to it: whether it was "
                        "used is not known");
    }
    return refused(v1::Outcome::CODE_BAD_GRANT, "the grant does not hold: its challenge is used up or unknown");
  }
  const auto holds = GrantCheck::check(claims, prepared->challenge, contract::digest(request.action()), clock_.now());
  if (!holds) return refused(v1::Outcome::CODE_BAD_GRANT, holds.error().message);
  if (const auto why = restrained()) return refused(why->code, why->message);
  if (!prepared->target.problem.empty()) return refused(prepared->target.problem_code, prepared->target.problem);

  const auto now = find_target(request.action());
  if (!now) return outcome_of(v1::Outcome::KIND_FAILED, v1::Outcome::CODE_DESKTOP_ERROR, now.error().message);
  if (const auto changed = difference(prepared->target, *now)) {
    return refused(v1::Outcome::CODE_STALE_TARGET, *changed);
  }
  DA_FAULT_POINT("actuator.before_intent");
  const MonoTime asked = clock_.now();
  auto known = ledger_.begin(record);
  if (!known) {
    return refused(v1::Outcome::CODE_DESKTOP_ERROR,
                   "it was not begun, because the intent could not be put on disk first: " + known.error().message);
  }
  if (*known) return **std::move(known);
  DA_FAULT_POINT("actuator.after_intent");
  auto objection = objection_after_intent(request, claims, *prepared, asked, cancelled);
  if (!objection && types_secret(request.action())) {
    // Before the first character: what is typed by halves must not be seen either.
    if (const auto masked = shared_.mask.fields().add(*now->focused, *now->foreground); !masked) {
      objection = refused(v1::Outcome::CODE_DESKTOP_ERROR, masked.error().message);
    }
  }
  v1::Outcome outcome = objection ? *std::move(objection) : act(request.action(), *now, cancelled);
  DA_FAULT_POINT("actuator.before_outcome");
  outcome.set_grant_id(claims.grant_id());
  outcome.set_step_id(claims.step_id());
  if (auto written = ledger_.finish(outcome); !written) spdlog::error("{}", written.error().message);
  DA_FAULT_POINT("actuator.after_outcome");
  return outcome;
}

// The disk may have taken its time: what was checked before it is checked once more.
std::optional<v1::Outcome> Executor::objection_after_intent(const v1::ExecuteRequest& request,
                                                            const v1::GrantClaims& claims, const Prepared& prepared,
                                                            MonoTime asked, const std::function<bool()>& cancelled) {
  if (clock_.now() - asked < kSlowIntent) return std::nullopt;
  if (cancelled()) return refused(v1::Outcome::CODE_CANCELLED, "the step was cancelled before it began");
  const auto holds = GrantCheck::check(claims, prepared.challenge, contract::digest(request.action()), clock_.now());
  if (!holds) {
    return refused(v1::Outcome::CODE_BAD_GRANT, holds.error().message + ": the disk took so long for the intent");
  }
  const auto now = find_target(request.action());
  if (!now) return refused(v1::Outcome::CODE_DESKTOP_ERROR, now.error().message);
  if (!now->problem.empty()) return refused(now->problem_code, now->problem);
  if (const auto changed = difference(prepared.target, *now)) return refused(v1::Outcome::CODE_STALE_TARGET, *changed);
  return std::nullopt;
}

// The oldest of the task that has the most: a task that prepares without end takes no other task's place.
void Executor::forget_surplus_prepared() {
  if (prepared_.size() <= kMaxPrepared) return;
  std::map<std::string, std::size_t> counts;
  for (const Prepared& each : prepared_) ++counts[each.challenge.task_id];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  prepared_.erase(
      std::ranges::find_if(prepared_, [&](const Prepared& each) { return each.challenge.task_id == most->first; }));
}

std::optional<Executor::Prepared> Executor::take_prepared(const std::string& challenge) {
  for (auto at = prepared_.begin(); at != prepared_.end(); ++at) {
    if (at->id != challenge) continue;
    std::optional<Prepared> found = std::move(*at);
    prepared_.erase(at);
    return found;
  }
  return std::nullopt;
}

std::optional<Restraint::Reason> Executor::restrained() {
  shared_.desktop.person_watch().look();
  const auto locked = shared_.desktop.session().locked();
  if (!locked) return Restraint::Reason{v1::Outcome::CODE_DESKTOP_ERROR, locked.error().message};
  if (*locked) pause(v1::Pause::CAUSE_SESSION_LOCKED, "the session is locked: " + **locked);
  return restraint_.holds();
}

// Once more before it begins: finding the target and the ledger take their time.
v1::Outcome Executor::act(const v1::Action& action, const Target& target, const std::function<bool()>& cancelled) {
  if (const auto why = restrained()) return refused(why->code, why->message);
  std::optional<Restraint::Reason> stopped;
  v1::Outcome outcome = perform(action, target, cancelled, stopped);
  if (succeeded(outcome)) return outcome;
  // Input itself stops at a locker and before a person, and when it is shut.
  if (!stopped && (outcome.kind() == v1::Outcome::KIND_FAILED || outcome.code() == v1::Outcome::CODE_HALTED)) {
    stopped = restrained();
    if (stopped) outcome.set_kind(v1::Outcome::KIND_INTERRUPTED);
  }
  // The chord's first key pauses, and its last one halts: the stronger reason counts.
  if (stopped && stopped->code == v1::Outcome::CODE_PAUSED) stopped = restraint_.holds();
  if (stopped && outcome.kind() == v1::Outcome::KIND_INTERRUPTED) {
    outcome.set_code(stopped->code);
    outcome.set_message(stopped->message);
  }
  return outcome;
}

v1::Outcome Executor::perform(const v1::Action& action, const Target& target, const std::function<bool()>& cancelled,
                              std::optional<Restraint::Reason>& stopped) {
  const Checkpoint checkpoint = make_checkpoint(action, target, cancelled, stopped);
  const bool scrolled_out = target.by_name && target.element->has(ElementState::kScrolledOut);
  if (!scrolled_out) return performer_.perform(action, target, checkpoint);
  if (!target.window) return refused(v1::Outcome::CODE_NOT_ACTIONABLE, "the window of the element is not known");
  const auto shown = bring_into_view(shared_.desktop, *target.window, *target.element, checkpoint, clock_);
  if (!shown)
    return stopped ? from_progress({.total = 1, .stopped = shown.error()}) : not_brought_into_view(shown.error());
  const auto now = find_target(action);
  if (!now) return outcome_of(v1::Outcome::KIND_FAILED, v1::Outcome::CODE_DESKTOP_ERROR, now.error().message);
  if (const auto changed = difference(target, *now)) return refused(v1::Outcome::CODE_STALE_TARGET, *changed);
  return performer_.perform(action, *now, make_checkpoint(action, *now, cancelled, stopped));
}

Checkpoint Executor::make_checkpoint(const v1::Action& action, const Target& target,
                                     const std::function<bool()>& cancelled,
                                     std::optional<Restraint::Reason>& stopped) {
  return [this, &stopped, still_meant = watch_target(shared_.desktop, shared_.mask, action, target, clock_),
          cancelled]() -> Result<void> {
    DA_FAULT_POINT("actuator.before_chunk");
    if (auto why = restrained()) {
      stopped = std::move(why);
      return Error{Code::kFailedPrecondition, stopped->message};
    }
    if (cancelled()) return Error{Code::kCancelled, "the step was cancelled"};
    return still_meant();
  };
}

void Executor::halt(const std::string& reason, const std::string& by) {
  restraint_.halt(reason, by);
  shared_.desktop.input().release_all();
  restraint_.remember_halt();
}

void Executor::pause(v1::Pause::Cause cause, const std::string& reason) {
  restraint_.pause(cause, reason);
  shared_.desktop.input().release_all();
}

Result<void> Executor::resume() { return restraint_.resume(); }

void Executor::person_acts(const std::string& how) {
  {
    const std::lock_guard lock(acting_mutex_);
    const bool counts = acting_ > 0 || (last_act_ && clock_.now() - *last_act_ < kPersonCountsFor);
    if (!counts) return;
  }
  pause(v1::Pause::CAUSE_PERSON, how);
}

void Executor::look_after_held() {
  const bool restrained = restraint_.holds().has_value();
  {
    const std::lock_guard lock(acting_mutex_);
    const bool too_long = acting_ == 0 && last_act_ && clock_.now() - *last_act_ > kLongestHold;
    if (!restrained && !too_long) return;
  }
  const bool held_button = shared_.desktop.input().button_held().has_value();
  if (!shared_.desktop.input().release_all()) return;
  v1::Outcome outcome =
      outcome_of(v1::Outcome::KIND_DISPATCHED, held_button ? "the held button was released where it had been pressed"
                                                           : "the held keys were released");
  if (!restrained) outcome.set_message(outcome.message() + ": no step has come for 10 s");
  outcome.set_tool(held_button ? "mouse" : "press");
  bus_.publish(outcome, "", "");
}

void Executor::await_idle(Milliseconds longest) {
  std::unique_lock lock(acting_mutex_);
  acting_changed_.wait_for(lock, longest, [this] { return acting_ == 0; });
}

}  // namespace da::actuator
