#include "services/console/terminal/event_stream.h"

#include <cstdio>
#include <iostream>

#include "da/v1/outcome.pb.h"
#include "da/v1/task.pb.h"
#include "da/v1/verdict.pb.h"
#include "services/console/terminal/event_text.h"

namespace da::console {
namespace {

// How long the thread takes to notice that it shall stop.
constexpr Milliseconds kTurn{50};

}  // namespace

EventStream::EventStream(std::unique_ptr<bus::Subscriber> subscriber, Format format)
    : subscriber_(std::move(subscriber)), format_(format), started_(system_clock().now()) {
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
      std::cerr << fact.error().message << "\n";
      broken_ = true;
      return;
    }
    if (*fact) show(**fact);
    if (!std::cout) broken_ = true;
  }
}

void EventStream::show(const bus::Fact& fact) {
  if (format_ == Format::kJson) {
    std::cout << event_json(fact) << std::endl;
  } else if (std::string line = event_line(fact); !line.empty() && line != last_line_) {
    char time[32];
    std::snprintf(time, sizeof time, "%8.3f  ", std::chrono::duration<double>(system_clock().now() - started_).count());
    std::cout << time << line << std::endl;
    last_line_ = std::move(line);
  }
  remember(fact);
}

void EventStream::remember(const bus::Fact& fact) {
  const std::lock_guard lock(mutex_);
  if (const auto* image = fact.as<v1::ImageFact>()) last_image_ = *image;
  if (const auto* asked = fact.as<v1::ApprovalRequest>()) open_questions_.insert(asked->approval_id());
  if (const auto* decided = fact.as<v1::ApprovalDecision>()) open_questions_.erase(decided->approval_id());
  if (const auto* halt = fact.as<v1::ActuatorHalt>()) actuator_is_halted_ = halt->halted();
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
    // The planner has its answer.
    const bool waits = state->state() == v1::TASK_STATE_AUTHORIZING || state->state() == v1::TASK_STATE_ACTING;
    if (!waits) granted_step_.clear();
  }
}

bool EventStream::step_is_in_doubt(MonoTime deadline) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_until(lock, deadline, [&] { return granted_step_.empty(); });
}

bool EventStream::wait_for_end(const std::string& task_id, MonoTime deadline) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [&] { return ended_task_ == task_id; });
}

bool EventStream::question_is_open() const {
  const std::lock_guard lock(mutex_);
  return !open_questions_.empty();
}

std::optional<v1::ImageFact> EventStream::last_image() const {
  const std::lock_guard lock(mutex_);
  return last_image_;
}

}  // namespace da::console
