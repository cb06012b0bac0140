// Finds a target and waits until it is worth acting on: look, and look again each time the screen comes to rest, until
// the best candidate is showing, enabled and at the same place in two looks in a row, or the time is over.
//
// Between looks the actuator waits for damage on the screen; a button can become enabled without any, so no wait is
// longer than kLongestPause. Two looks that agree are enough, whatever else moves on the screen. Once it is found, the
// element alone is read again for a few looks, as long as no window opens or takes the focus: that is quicker. What
// another window is over does not show, and is waited for too; so is a window that is about to open, for a moment, as
// it may have what is named; nor does a part of an element's text that is scrolled out of it, where the application
// tells that. The screen is read (OCR) only where the UI tree has no answer (or one under another window, where only
// showing is asked for), once it is quiet (at once where the focused window has no elements), and only what has
// changed: the focused window first, then everything. Any thread; callers take turns, look by look.
#pragma once

#include <functional>
#include <optional>

#include "da/v1/observer_rpc.pb.h"
#include "services/observer/screen_text.h"
#include "services/observer/sight.h"
#include "services/observer/stop_signal.h"
#include "services/observer/target.h"

namespace da::observer {

class Locator {
 public:
  Locator(Sight& sight, ScreenText::Reader reader, StopSignal& stop, const Clock& clock)
      : sight_(sight), window_text_(reader), screen_text_(reader), stop_(stop), clock_(clock) {}

  // Errors: kInvalidArgument (no target), kCancelled, or what kept it from seeing. A target that is not found, or does
  // not become what it must be, is a reply that says what is missing. `cancelled` is asked between looks.
  Result<v1::LocateReply> locate(const v1::LocateRequest& request, const std::function<bool()>& cancelled);

 private:
  struct Look {
    std::vector<v1::Candidate> candidates;  // Best first.
    std::string frame_id;
    std::string absent;               // Why there are none.
    std::string covered;              // By what the best one is; empty where it is not.
    bool settled = false;             // Nothing changed for as long as the look asked for.
    bool window_has_elements = true;  // The UI tree knows what is in the focused window.
    bool incomplete = false;          // What is missing may be there.
    bool opening = false;             // A window is about to open.
  };
  // One target, from the first look to the last.
  struct Search {
    const v1::LocateRequest& request;
    Target target;
    Sight::Wait wait;             // Before the next look.
    v1::UiTree elements;          // Of the last look.
    std::string windows;          // At the last look.
    std::optional<int> known_at;  // Index of the one element that the next look reads anew; all, where there is none.
    int looks_at_known = 0;       // So many in a row.
  };

  Result<Look> look(Search& search);
  Result<Look> look_and_read(Search& search, bool at_once);
  Result<bool> read_elements(Search& search);
  static std::optional<int> worth_reading_alone(const Search& search, const Look& seen);
  Result<std::vector<v1::Candidate>> read_screen(const Target& target);
  std::string drop_scrolled_out(const Target& target, std::vector<v1::Candidate>& candidates);
  static bool is_worth_reading(const Look& seen, const v1::LocateRequest& request);
  Result<void> refresh(const Sight::Wait& wait);

  Sight& sight_;
  ScreenText window_text_;
  ScreenText screen_text_;
  StopSignal& stop_;
  const Clock& clock_;
};

}  // namespace da::observer
