// The overlay on an X display: two override-redirect windows with an empty input shape, a banner with the lines and an
// outline around the target.
//
// A capture takes the overlay's shapes away and puts them back, in the same batch of requests. While the overlay shows,
// the server keeps all top-level windows in memory (Composite, automatic redirection), so that it restores what is
// below without asking any application to draw. The damage of all this is taken out of the damage objects that were
// given to exclude_from(). docs/design/0031 compares other ways.
//
// Shares its connection with the screen, so that the server carries out their requests in order. Any thread. Errors:
// kUnimplemented (an extension or a font is missing, or a compositing manager paints the screen), kFailedPrecondition
// (a locker covers the screen), kUnavailable.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "services/actuator/desktop/roles/overlay.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/overlay/text_painter.h"
#include "services/actuator/desktop/x11/session/lock_probe.h"

namespace da::actuator::x11 {

// A damage object of another connection, on the root window. What was damaged before the overlay drew is added to the
// region `kept`: take_damage() returns both.
struct WatchedDamage {
  std::uint32_t damage = 0;
  std::uint32_t kept = 0;
};

class X11Overlay final : public Overlay {
 public:
  // Also succeeds where the overlay cannot be shown: then show() fails, with the reason.
  static Result<std::unique_ptr<X11Overlay>> open(std::shared_ptr<Connection> connection);
  ~X11Overlay() override;
  X11Overlay(const X11Overlay&) = delete;
  X11Overlay& operator=(const X11Overlay&) = delete;

  Result<void> show(const OverlayContent& content) override;
  void hide() override;

  // Calls `capture`, which sends requests that read this area of the screen; the overlay is not in it.
  void hide_during(const Rect& area, const std::function<void()>& capture);
  // From now on, the overlay's drawing does not damage it.
  void exclude_from(const WatchedDamage& watched);
  // Call it before the damage object is destroyed.
  void forget(const WatchedDamage& watched);
  bool owns(xcb_window_t window) const { return window == banner_ || window == outline_; }

 private:
  explicit X11Overlay(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
  Result<void> prepare();
  Result<void> create_windows();
  Result<void> can_show();
  Result<void> paint(const OverlayContent& content);
  // The caller holds mutex_.
  void hide_windows();
  void place(xcb_window_t window, std::uint32_t region, const std::vector<Rect>& parts);
  void set_shape(xcb_window_t window, std::uint32_t region);
  void set_banner(const Canvas& canvas);
  void notice_manager();
  void without_damage(const std::function<void()>& draw);

  const std::shared_ptr<Connection> connection_;
  std::optional<Error> unavailable_;  // Set once, by open().
  xcb_window_t banner_ = XCB_NONE;
  xcb_window_t outline_ = XCB_NONE;
  std::uint32_t nothing_ = 0;        // Regions of the server.
  std::uint32_t banner_region_ = 0;  // Uses the window's own pixels.
  std::uint32_t outline_region_ = 0;
  std::uint32_t damaged_ = 0;
  xcb_gcontext_t context_ = 0;
  xcb_atom_t manager_ = XCB_ATOM_NONE;  // The selection of a compositing manager.
  std::uint8_t selection_event_ = 0;
  std::mutex text_mutex_;  // Taken before mutex_; guards the text and the probe.
  std::optional<LockProbe> lock_probe_;
  std::unique_ptr<TextPainter> text_;
  int text_pixels_ = 0;  // Font size of text_, in pixels.
  std::mutex mutex_;
  std::vector<WatchedDamage> watched_;
  bool visible_ = false;
  bool managed_ = false;  // A compositing manager has started.
  Rect banner_place_;     // In desktop pixels, as the bars of the outline. Empty while hidden.
  std::vector<Rect> bars_;
};

// Moves what was damaged without the overlay's drawing into `region`, a region of the server.
void take_damage(Connection& connection, const WatchedDamage& watched, std::uint32_t region);

}  // namespace da::actuator::x11
