// Passes facts to a view as they arrive, on its own thread, and keeps the last screenshot and the state of the steps.
// Public members: owner's thread.
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
#include "da/v1/task.pb.h"
#include "lib/bus/subscriber.h"
#include "services/console/terminal/stream/stream_view.h"

namespace da::console {

class EventStream {
 public:
  EventStream(std::unique_ptr<bus::Subscriber> subscriber, std::unique_ptr<FactView> view);
  ~EventStream();

  // Waits until the view got the task's last fact and last screenshot. False at the deadline, because facts may be
  // lost.
  bool wait_for_end(const v1::TaskResult& result, MonoTime deadline);

  std::optional<v1::ImageFact> last_image() const;

  // True if an approval was requested and no decision was published yet: its step is not granted.
  bool question_is_open() const;

  // True if a step that changes something was granted, and by the deadline neither its outcome nor the task's next
  // state was published. May be wrongly true, because facts may be lost.
  bool step_is_in_doubt(MonoTime deadline);

  // True after the actuator published a halt; with the kill switch this is its last fact.
  bool actuator_is_halted() const { return actuator_is_halted_; }
  // The reason of that halt, for people; may be empty.
  std::string halt_reason() const;

  // True if the bus failed or stdout is closed.
  bool broken() const { return broken_; }

 private:
  void run();
  void remember(const bus::Fact& fact);
  void note_step(const bus::Fact& fact);

  std::unique_ptr<bus::Subscriber> subscriber_;
  const std::unique_ptr<FactView> view_;  // Used only by thread_.
  std::atomic<bool> stop_{false};
  std::atomic<bool> broken_{false};
  std::atomic<bool> actuator_is_halted_{false};
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string ended_task_;
  std::optional<v1::ImageFact> last_image_;
  std::set<std::string> open_questions_;
  std::string halt_reason_;
  std::string granted_step_;  // Id of the granted step without a known outcome; empty: none.
  std::thread thread_;
};

}  // namespace da::console
