#include "tests/services/policy/fake_actuator.h"

#include "lib/contract/describe.h"
#include "lib/contract/digest.h"

namespace da::policy::test {
namespace {

Error bad_grant(const std::string& why) { return {Code::kPermissionDenied, why}; }

}  // namespace

Result<contract::SealedEvidence> FakeActuator::prepare(const v1::PrepareRequest& request, Milliseconds,
                                                       std::stop_token stop) {
  std::function<void()> after;
  v1::Evidence evidence;
  {
    const std::lock_guard hold(mutex_);
    if (stop.stop_requested()) return Error{Code::kCancelled, "Prepare was cancelled"};
    if (prepare_error_) return *prepare_error_;
    ++prepared_;
    justification_ = request.justification();
    evidence = world_;
    evidence.set_boot_id(boot_id_);
    evidence.set_challenge(random_hex(8));
    evidence.set_action_digest(lie_ ? "of another action" : contract::digest(request.action()));
    if (!request.with_picture()) evidence.clear_picture_png();
    if (request.with_picture() && evidence.picture_png().empty()) evidence.set_picture_png("picture");
    challenges_[evidence.challenge()] = {evidence, clock_.now()};
    after = std::exchange(request.with_picture() ? while_read_ : after_prepare_, nullptr);
  }
  if (after) after();
  return contract::seal(std::move(evidence));
}

Result<v1::GrantClaims> FakeActuator::check(const v1::ExecuteRequest& request) {
  if (!key_.verifies(request.grant().claims(), request.grant().signature())) return bad_grant("signature");
  v1::GrantClaims claims;
  if (!claims.ParseFromString(request.grant().claims())) return bad_grant("claims");
  const auto found = challenges_.find(claims.challenge());
  if (found == challenges_.end()) return bad_grant("challenge is unknown or was used");
  const Challenge challenge = found->second;
  challenges_.erase(found);
  if (claims.boot_id() != boot_id_ || claims.desktop_id() != desktop_id_) return bad_grant("boot or desktop");
  if (claims.action_digest() != contract::digest(request.action())) return bad_grant("action");
  if (claims.evidence_digest() != contract::digest(challenge.evidence)) return bad_grant("evidence");
  if (claims.task_id().empty() || claims.step_id().empty() || claims.rules_version().empty()) return bad_grant("names");
  if (clock_.now() > challenge.at + Milliseconds(claims.valid_ms())) return bad_grant("expired");
  if (!world_matches(challenge.evidence)) return Error{Code::kAborted, "stale"};
  return claims;
}

bool FakeActuator::world_matches(const v1::Evidence& evidence) const {
  return evidence.foreground().window_id() == world_.foreground().window_id() &&
         evidence.focused_element().element_id() == world_.focused_element().element_id() &&
         evidence.target_pixels() == world_.target_pixels();
}

v1::Outcome FakeActuator::outcome(v1::Outcome::Kind kind, v1::Outcome::Code code, const std::string& message) const {
  v1::Outcome outcome;
  outcome.set_kind(kind);
  outcome.set_code(code);
  outcome.set_message(message);
  return outcome;
}

Result<v1::Outcome> FakeActuator::execute(const v1::ExecuteRequest& request, Milliseconds, std::stop_token stop) {
  std::unique_lock hold(mutex_);
  if (halted_) return outcome(v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_HALTED, "halted");
  if (pause_) return outcome(v1::Outcome::KIND_REFUSED, pause_code(), pause_->reason());
  auto claims = check(request);
  if (!claims && claims.error().code == Code::kAborted) {
    return outcome(v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_STALE_TARGET, claims.error().message);
  }
  if (!claims) return outcome(v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_BAD_GRANT, claims.error().message);
  grants_.push_back(*claims);
  executing_ = true;
  changed_.notify_all();
  changed_.wait(hold, stop, [this] { return !hold_ || halted_ || pause_; });
  executing_ = false;
  if (stop.stop_requested()) return Error{Code::kCancelled, "Execute was cancelled"};
  if (halted_) return outcome(v1::Outcome::KIND_INTERRUPTED, v1::Outcome::CODE_HALTED, "halted");
  if (pause_) return outcome(v1::Outcome::KIND_INTERRUPTED, pause_code(), pause_->reason());
  done_.push_back(contract::describe(request.action()));
  if (lost_) return *std::exchange(lost_, std::nullopt);
  return outcome(v1::Outcome::KIND_DISPATCHED, v1::Outcome::CODE_UNSPECIFIED, "done");
}

Result<void> FakeActuator::halt(const std::string&) {
  const std::lock_guard hold(mutex_);
  if (prepare_error_) return *prepare_error_;
  halted_ = true;
  changed_.notify_all();
  return ok();
}

Result<void> FakeActuator::pause(const std::string& reason) {
  {
    const std::lock_guard hold(mutex_);
    if (prepare_error_) return *prepare_error_;
  }
  pause_by_itself(v1::Pause::CAUSE_CONSOLE, reason);
  return ok();
}

void FakeActuator::pause_by_itself(v1::Pause::Cause cause, const std::string& reason) {
  const std::lock_guard hold(mutex_);
  pause_.emplace().set_cause(cause);
  pause_->set_reason(reason);
  changed_.notify_all();
}

v1::Outcome::Code FakeActuator::pause_code() const {
  return pause_->cause() == v1::Pause::CAUSE_SESSION_LOCKED ? v1::Outcome::CODE_SESSION_LOCKED
                                                            : v1::Outcome::CODE_PAUSED;
}

Result<void> FakeActuator::resume() {
  std::unique_lock hold(mutex_);
  if (const auto before = std::exchange(before_resume_, nullptr)) {
    hold.unlock();
    before();
    hold.lock();
  }
  if (prepare_error_) return *prepare_error_;
  halted_ = false;
  pause_.reset();
  return ok();
}

Result<v1::HeartbeatReply> FakeActuator::heartbeat(const v1::HeartbeatRequest& request, std::stop_token stop) {
  std::unique_lock hold(mutex_);
  if (prepare_error_) return *prepare_error_;
  v1::HeartbeatReply reply;
  reply.set_halted(halted_);
  if (pause_) *reply.mutable_pause() = *pause_;
  open_tasks_.clear();
  for (const v1::OpenTask& task : request.open_tasks()) open_tasks_.insert(task.task_id());
  waiting_.assign(request.waiting_challenges().begin(), request.waiting_challenges().end());
  ++heartbeats_;
  changed_.notify_all();
  changed_.wait(hold, stop, [this] { return !hold_heartbeats_; });
  return reply;
}

std::set<std::string> FakeActuator::open_tasks() const {
  const std::lock_guard hold(mutex_);
  return open_tasks_;
}

bool FakeActuator::wait_until_waiting(const std::vector<std::string>& challenges) {
  std::unique_lock hold(mutex_);
  return changed_.wait_for(hold, std::chrono::seconds(10), [&] { return waiting_ == challenges; });
}

std::string FakeActuator::justification() const {
  const std::lock_guard hold(mutex_);
  return justification_;
}

void FakeActuator::hold_heartbeats() {
  const std::lock_guard hold(mutex_);
  hold_heartbeats_ = true;
}

void FakeActuator::release_heartbeats() {
  const std::lock_guard hold(mutex_);
  hold_heartbeats_ = false;
  changed_.notify_all();
}

bool FakeActuator::wait_for_heartbeats(int more, std::chrono::milliseconds at_most) {
  return wait_until_heartbeats(heartbeats() + more, at_most);
}

int FakeActuator::heartbeats() const {
  const std::lock_guard hold(mutex_);
  return heartbeats_;
}

bool FakeActuator::wait_until_heartbeats(int all, std::chrono::milliseconds at_most) {
  std::unique_lock hold(mutex_);
  return changed_.wait_for(hold, at_most, [&] { return heartbeats_ >= all; });
}

void FakeActuator::set_world(v1::Evidence world) {
  const std::lock_guard hold(mutex_);
  world_ = std::move(world);
}

void FakeActuator::after_next_prepare(std::function<void()> change) {
  const std::lock_guard hold(mutex_);
  after_prepare_ = std::move(change);
}

void FakeActuator::while_a_person_reads(std::function<void()> change) {
  const std::lock_guard hold(mutex_);
  while_read_ = std::move(change);
}

void FakeActuator::before_next_resume(std::function<void()> change) {
  const std::lock_guard hold(mutex_);
  before_resume_ = std::move(change);
}

void FakeActuator::fail_prepare(std::optional<Error> error) {
  const std::lock_guard hold(mutex_);
  prepare_error_ = std::move(error);
}

void FakeActuator::lose_answer(Error error) {
  const std::lock_guard hold(mutex_);
  lost_ = std::move(error);
}

void FakeActuator::hold_execute() {
  const std::lock_guard hold(mutex_);
  hold_ = true;
}

void FakeActuator::wait_until_executing() {
  std::unique_lock hold(mutex_);
  changed_.wait_for(hold, std::chrono::seconds(10), [this] { return executing_; });
}

void FakeActuator::lie_about_the_action() {
  const std::lock_guard hold(mutex_);
  lie_ = true;
}

std::vector<std::string> FakeActuator::done() const {
  const std::lock_guard hold(mutex_);
  return done_;
}

int FakeActuator::prepared() const {
  const std::lock_guard hold(mutex_);
  return prepared_;
}

bool FakeActuator::halted() const {
  const std::lock_guard hold(mutex_);
  return halted_;
}

bool FakeActuator::paused() const {
  const std::lock_guard hold(mutex_);
  return pause_.has_value();
}

std::vector<v1::GrantClaims> FakeActuator::grants() const {
  const std::lock_guard hold(mutex_);
  return grants_;
}

}  // namespace da::policy::test
