// Finds a target and waits until it can be acted on: it looks each time the screen comes to rest, until the best
// candidate is visible, enabled and at the same place in two looks in a row, or until the timeout.
//
// - Between looks the actuator waits for screen damage, at most kLongestPause: a button can become enabled without any.
//   Other moving parts of the screen do not matter.
// - After a match, the next looks read only that element, which is faster, while no window opens or gets the focus. For
//   an act, the task's last search may have been the first look.
// - An element under another window or in a window that a modal dialog blocks, and text that is scrolled out of sight
//   (where the application tells that), are not visible: wait for them. If a window is about to open, wait a moment,
//   because it may have the target.
// - Text that OCR finds is acted on only where the UI tree is known to be complete (unread_places.h).
// - OCR runs only if the UI tree has no match, or a covered one where visibility is enough. It waits for a quiet screen
//   (unless the focused window has no elements) and reads only what changed: the focused window first, then everything.
// - A field of a window without elements is found by its box in the picture: beside a word, or by its number.
// - A poor match is ambiguous if a window without elements shows the wanted name itself (names_by_sight.h).
//
// Any thread; calls alternate, look by look.
#pragma once

#include <mutex>
#include <optional>
#include <stop_token>

#include "da/v1/observer_rpc.pb.h"
#include "services/observer/elements/ui_visibility.h"
#include "services/observer/frames/frame_cache.h"
#include "services/observer/locate/located_target.h"
#include "services/observer/locate/sight.h"
#include "services/observer/text/screen_text.h"

namespace da::observer {

class Locator {
 public:
  Locator(FrameCache& frames, ScreenText::Reader reader, std::stop_token stop, const Clock& clock)
      : frames_(frames), sight_(frames, std::move(reader)), stop_(std::move(stop)), clock_(clock) {}

  // Errors: kInvalidArgument (no target), kCancelled, or why the desktop could not be read. If the target is not found
  // or not usable in time, the reply's `missing` says why.
  Result<v1::LocateReply> locate(const v1::LocateRequest& request, const std::stop_token& stop);

  // Lists what a target can name: elements, and the boxes of fields in the picture of windows without elements.
  Result<v1::UiTree> nameable(const v1::ReadUiRequest& request);

 private:
  struct Look {
    std::vector<v1::Candidate> candidates;  // Best first.
    std::string frame_id;
    std::string absent;               // Why there are no candidates.
    std::string covered;              // What covers or blocks the best candidate; empty if nothing does.
    bool settled = false;             // Nothing changed during the look's quiet time.
    bool window_has_elements = true;  // The UI tree describes the focused window.
    bool incomplete = false;          // The target may be there: the UI tree was not read in time.
    bool opening = false;             // A window is about to open.
    bool menu_is_drawn = false;       // A menu is open, and the UI tree has none of its entries.
  };
  // The state of one locate() call.
  struct Search {
    const v1::LocateRequest& request;
    LocatedTarget target;
    FrameCache::Wait wait;        // The wait before the next look.
    v1::UiTree elements;          // Elements as last read.
    MonoTime read_at;             // When all of them were read.
    std::string windows;          // window_order() at the last look.
    std::optional<int> known_at;  // The only element that the next look reads; nullopt: all elements.
    int looks_at_known = 0;       // Consecutive looks at that element.
  };

  // The elements that the last search read.
  struct Earlier {
    std::string task_id;
    MonoTime read_at;
    v1::UiTree elements;
  };

  Result<Look> look(Search& search);
  Result<Look> look_and_read(Search& search, bool at_once);
  Result<bool> read_elements(Search& search);
  std::optional<int> worth_reading_alone(const Search& search, const Look& seen) const;
  Result<std::vector<Rect>> read_anchors(const Search& search, const Scene& scene);
  std::string drop_scrolled_out(const LocatedTarget& target, std::vector<v1::Candidate>& candidates);
  // Whether the task's last search saw the element of an act where it is now, long enough ago to be the first look.
  bool was_seen_earlier(const Search& search, const v1::Candidate& candidate);
  void remember(Search& search);
  static bool is_worth_reading(const Look& seen, const v1::LocateRequest& request);
  Result<void> refresh(const FrameCache::Wait& wait);

  FrameCache& frames_;
  Sight sight_;
  const std::stop_token stop_;
  const Clock& clock_;
  std::mutex earlier_mutex_;
  std::optional<Earlier> earlier_;
};

}  // namespace da::observer
