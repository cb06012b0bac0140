// Hands facts to a view as they come, on a thread of its own, and remembers the last screenshot. The constructor's
// thread owns it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "da/v1/observation.pb.h"
#include "lib/bus/subscriber.h"
#include "services/console/terminal/fact_view.h"

namespace da::console {

class EventStream {
 public:
  EventStream(std::unique_ptr<bus::Subscriber> subscriber, std::unique_ptr<FactView> view);
  ~EventStream();

  // Waits until the last fact of this task was shown. A fact may be lost: false at the deadline.
  bool wait_for_end(const std::string& task_id, MonoTime deadline);

  std::optional<v1::ImageFact> last_image() const;

  // A question to a person was published, and nothing of what became of it yet: that step has not been granted.
  bool question_is_open() const;

  // A step that changes something was granted, and neither its outcome nor that the task went on was told by then. A
  // fact may be lost: true where it is known to the planner alone.
  bool step_is_in_doubt(MonoTime deadline);

  // The actuator said that it is halted; at the kill switch those are its last words.
  bool actuator_is_halted() const { return actuator_is_halted_; }
  // Why, for people; empty where it did not say.
  std::string halt_reason() const;

  // The bus failed, or nobody reads stdout any more.
  bool broken() const { return broken_; }

 private:
  void run();
  void remember(const bus::Fact& fact);
  void note_step(const bus::Fact& fact);

  std::unique_ptr<bus::Subscriber> subscriber_;
  const std::unique_ptr<FactView> view_;  // The thread's.
  std::atomic<bool> stop_{false};
  std::atomic<bool> broken_{false};
  std::atomic<bool> actuator_is_halted_{false};
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string ended_task_;
  std::optional<v1::ImageFact> last_image_;
  std::set<std::string> open_questions_;
  std::string halt_reason_;
  std::string granted_step_;  // Whose outcome was not told yet; empty: none.
  std::thread thread_;
};

}  // namespace da::console
