// Shows the person at the desktop what the open task does. Decides what the overlay shows:
//
//   no open task, or no heartbeat of the policy for kTasksStayOpen      nothing
//   a step acts, or has acted within kStepStays                         its justification and target
//   a step waits for an approval                                        the same, and the approval's words
//   otherwise                                                           who drives the desktop, and how to stop it
//
// The action stands beside the approval's words, as the actuator was asked for it, so that a person can compare it with
// what the console shows. Owns the thread "overlay", which alone calls the
// desktop's overlay: no step waits for it. Any thread. Texts must be masked by the caller; they are escaped here.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "da/v1/actuator_rpc.pb.h"
#include "lib/base/clock.h"
#include "services/actuator/desktop/roles/overlay.h"

namespace da::actuator {

struct ShownStep {
  std::string justification;  // Masked.
  std::optional<Rect> marker;
  // Both are set for a step that may have to wait for an approval. `question` is the action in words, masked, and no
  // text of the proposer.
  std::string question;
  std::string approval_words;
};

class TaskOverlay {
 public:
  static constexpr Milliseconds kStepStays{1'000};
  static constexpr Milliseconds kTasksStayOpen{10'000};

  // The overlay must outlive it.
  TaskOverlay(Overlay& overlay, const Clock& clock);
  ~TaskOverlay();
  TaskOverlay(const TaskOverlay&) = delete;
  TaskOverlay& operator=(const TaskOverlay&) = delete;

  void hear(const v1::HeartbeatRequest& heartbeat);
  // The policy may soon name this challenge in a heartbeat, while a person is asked about the step.
  void prepared(const std::string& challenge, ShownStep step);
  void step_begins(ShownStep step);
  void step_ends();

  // What is due now; nullopt: nothing.
  std::optional<OverlayContent> due() const;
  // Tells people whether it shows, or why not.
  std::string describe() const;

 private:
  struct Prepared {
    std::string challenge;
    ShownStep step;
  };

  // These three require mutex_.
  std::optional<OverlayContent> due_now() const;
  const ShownStep* waiting_step() const;
  void note(const Result<void>& shown);

  void run();
  // Shows or hides. kFailedPrecondition: it may be shown later.
  Result<void> bring_up(const std::optional<OverlayContent>& content);

  Overlay& overlay_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  bool looks_ = false;  // Something has changed since the thread looked.
  bool task_open_ = false;
  MonoTime last_heartbeat_{};
  std::vector<std::string> waiting_;  // Challenges, the oldest question first.
  std::deque<Prepared> prepared_;     // The oldest first.
  std::optional<ShownStep> acting_;
  std::optional<MonoTime> acted_;  // When acting_ ended; nullopt: it acts.
  std::string problem_;            // Why the overlay does not show.
  bool shows_ = false;
  std::thread thread_;  // Last: it uses the other members.
};

// At most so many characters, escaped.
std::string shown_in_overlay(const std::string& masked, std::size_t most_characters);

}  // namespace da::actuator
