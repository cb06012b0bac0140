// What a person at the desktop sees about the task. desktop.h tells about coordinates, threads and errors.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "lib/base/geometry.h"
#include "lib/base/result.h"

namespace da::actuator {

// Characters.
constexpr std::size_t kMaxOverlayJustification = 60;
constexpr std::size_t kMaxOverlayQuestion = 100;

// What a person at the desktop is shown about the task. The texts are shown as they are: escape foreign text first.
struct OverlayContent {
  std::string driver;          // Who drives the desktop.
  std::string stop_chord;      // How a person stops it.
  std::string justification;   // Why the step is made, in the proposer's words. Empty: unknown.
  std::string question;        // The action that waits for an approval; empty: none waits.
  std::string approval_words;  // The words that identify that action and its evidence.
  std::optional<Rect> marker;  // The step's target.
  friend bool operator==(const OverlayContent&, const OverlayContent&) = default;
};

// Lines and an outline on top of all windows, for a person's eyes only: they are in no capture, count as no change in
// wait_quiet(), take no input, and are no window to the other roles. Any thread; calls take turns and never wait for an
// application.
class Overlay {
 public:
  virtual ~Overlay() = default;
  // Replaces the content. After an error nothing is shown. kUnimplemented: this desktop cannot keep the overlay out of
  // captures; kFailedPrecondition: a screen locker covers the desktop now.
  virtual Result<void> show(const OverlayContent& content) = 0;
  virtual void hide() = 0;
};

}  // namespace da::actuator
