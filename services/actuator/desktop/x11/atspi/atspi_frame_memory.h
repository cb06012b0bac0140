// What earlier reads have shown about applications' top levels: which of several equal windows is which, and their
// scale. One thread at a time.
//
// An application may answer before it has heard of a new focus or size, so a fact counts only once it was seen twice,
// kSettled apart; the first scale of a frame counts at once.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/clock.h"
#include "services/actuator/desktop/x11/atspi/atspi_windows.h"
#include "services/actuator/desktop/x11/atspi/bus/accessible_node.h"

namespace da::actuator::x11 {

class FrameMemory {
 public:
  explicit FrameMemory(const Clock& clock) : clock_(clock) {}

  // Sets known_window and known_scale. `nodes`: one for each frame, all of one application.
  void recall(std::span<const AccessibleNode> nodes, std::vector<AccessibleFrame>& frames) const;
  // Marks frames whose scale has just changed as unplaced.
  void learn(std::span<const AccessibleNode> nodes, const std::vector<AccessibleFrame>& frames,
             const std::vector<DescribedWindow>& windows, std::vector<FrameWindow>& places);
  // common_map() of the application's last read that had one.
  std::optional<PlaceMap> common_map_of(const std::string& bus_name) const;
  void forget_all();

 private:
  // A value, and a newer one that has not been confirmed.
  template <class T>
  struct Seen {
    T known{};
    T newer{};
    MonoTime newer_since;

    void see(const T& now_seen, MonoTime now);
  };
  struct KnownFrame {
    Seen<std::string> window;
    Seen<double> scale;
  };

  const Clock& clock_;
  std::map<std::pair<std::string, std::string>, KnownFrame> frames_;  // Keyed by bus name and path.
  std::map<std::string, PlaceMap> common_;                            // Keyed by bus name.
};

}  // namespace da::actuator::x11
