#include "services/console/terminal/stream/event_stream.h"

#include <iostream>

#include "da/v1/outcome.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/text.h"

namespace da::console {
namespace {

// The longest time until the thread notices stop_.
constexpr Milliseconds kTurn{50};

}  // namespace

EventStream::EventStream(std::unique_ptr<bus::Subscriber> subscriber, std::unique_ptr<FactView> view)
    : subscriber_(std::move(subscriber)), view_(std::move(view)) {
  thread_ = std::thread([this] { run(); });
}

EventStream::~EventStream() {
  stop_ = true;
  thread_.join();
}

void EventStream::run() {
  pthread_setname_np(pthread_self(), "event-stream");
  while (!stop_) {
    auto fact = subscriber_->next(system_clock().now() + kTurn);
    if (!fact) {
      std::cerr << escape_foreign(fact.error().message, 4000) << "\n";
      broken_ = true;
      return;
    }
    const MonoTime now = system_clock().now();
    if (*fact) {
      view_->show(**fact, now);
      remember(**fact);
    }
    view_->tick(now);
    if (!std::cout) broken_ = true;
  }
}

void EventStream::remember(const bus::Fact& fact) {
  const std::lock_guard lock(mutex_);
  if (const auto* image = fact.as<v1::ImageFact>(); image != nullptr && !image->part()) last_image_ = *image;
  if (const auto* asked = fact.as<v1::ApprovalRequest>()) open_questions_.insert(asked->approval_id());
  if (const auto* decided = fact.as<v1::ApprovalDecision>()) open_questions_.erase(decided->approval_id());
  if (const auto* halt = fact.as<v1::ActuatorHalt>()) {
    actuator_is_halted_ = halt->halted();
    halt_reason_ = halt->reason();
  }
  if (const auto* ended = fact.as<v1::TaskEnded>()) {
    ended_task_ = ended->result().task_id();
  }
  note_step(fact);
  changed_.notify_all();
}

void EventStream::note_step(const bus::Fact& fact) {
  if (const auto* verdict = fact.as<v1::Verdict>()) {
    const bool acts = verdict->decision() == v1::Verdict::DECISION_ALLOW && verdict->risk() != v1::RISK_SAFE;
    if (acts && !verdict->dry_run()) granted_step_ = verdict->step_id();
  } else if (const auto* outcome = fact.as<v1::Outcome>()) {
    const bool known = outcome->kind() != v1::Outcome::KIND_UNKNOWN && outcome->kind() != v1::Outcome::KIND_UNSPECIFIED;
    if (known && outcome->step_id() == granted_step_) granted_step_.clear();
  } else if (const auto* state = fact.as<v1::TaskStateChanged>()) {
    // In any other state, the planner has the outcome.
    const bool waits = state->state() == v1::TASK_STATE_AUTHORIZING || state->state() == v1::TASK_STATE_ACTING;
    if (!waits) granted_step_.clear();
  }
}

bool EventStream::step_is_in_doubt(MonoTime deadline) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_until(lock, deadline, [&] { return granted_step_.empty(); });
}

bool EventStream::wait_for_end(const v1::TaskResult& result, MonoTime deadline) {
  const auto has_image = [&] {
    const std::string& hash = result.last_image_hash();
    return hash.empty() || (last_image_ && last_image_->image_hash() == hash);
  };
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [&] { return ended_task_ == result.task_id() && has_image(); });
}

bool EventStream::question_is_open() const {
  const std::lock_guard lock(mutex_);
  return !open_questions_.empty();
}

std::string EventStream::halt_reason() const {
  const std::lock_guard lock(mutex_);
  return halt_reason_;
}

std::optional<v1::ImageFact> EventStream::last_image() const {
  const std::lock_guard lock(mutex_);
  return last_image_;
}

}  // namespace da::console
