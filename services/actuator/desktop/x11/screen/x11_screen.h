// The pixels of an X display: XShmGetImage of the root window into a shared segment.
//
// Owns two segments, for whole frames and for parts, which are reused while the size suffices, and shares its
// connection with the overlay, which is in no capture and reads the connection's events. When the server cannot share
// memory, pixels come over the socket into the same buffers. Captures are always whole; what changed_since() reports
// comes from XDamage, where reports_all_drawing(). One thread at a time; wait_quiet() and watch_drawing() from any.
// Errors: kUnavailable (server gone), kUnimplemented (a depth other than 24 or 32 bits in 4 bytes).
#pragma once

#include <memory>
#include <vector>

#include "services/actuator/desktop/change_history.h"
#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/overlay/x11_overlay.h"
#include "services/actuator/desktop/x11/screen/damage_watch.h"
#include "services/actuator/desktop/x11/screen/drawn_areas.h"

namespace da::actuator::x11 {

// Memory for pixels, shared with the server if possible. Owns the mapping and the server's attachment.
class PixelSegment {
 public:
  static Result<std::unique_ptr<PixelSegment>> create(Connection& connection, std::size_t size);
  ~PixelSegment();
  PixelSegment(const PixelSegment&) = delete;
  PixelSegment& operator=(const PixelSegment&) = delete;

  std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool shared() const { return id_ != 0; }
  std::uint32_t id() const { return id_; }

 private:
  PixelSegment(Connection& connection, std::uint8_t* data, std::size_t size)
      : connection_(connection), data_(data), size_(size) {}

  Connection& connection_;
  std::uint8_t* data_;
  std::size_t size_;
  std::uint32_t id_ = 0;  // The server's id of it; 0 when not shared.
};

class X11Screen final : public Screen {
 public:
  // `changes`: a connection of its own for what was drawn.
  static Result<std::unique_ptr<X11Screen>> open(std::shared_ptr<Connection> connection,
                                                 std::unique_ptr<Connection> changes, DamageWatch& damage,
                                                 X11Overlay& overlay);

  Result<Layout> layout() override;
  Result<FrameView> capture() override;
  Result<FrameView> capture_area(const Rect& area) override;
  Result<std::optional<std::vector<Rect>>> changed_since(std::uint64_t generation) override;
  Result<std::unique_ptr<DrawingWatch>> watch_drawing() override;
  Result<Point> cursor() override;
  Result<CursorShape> cursor_shape() override;
  Result<Quiet> wait_quiet(const Rest& rest, MonoTime deadline) override { return damage_.wait_quiet(rest, deadline); }

 private:
  X11Screen(std::shared_ptr<Connection> connection, std::unique_ptr<Connection> changes, DamageWatch& damage,
            X11Overlay& overlay, Rect desktop, DrawnAreas drawn, bool all_reported)
      : connection_(std::move(connection)),
        changes_(std::move(changes)),
        damage_(damage),
        overlay_(overlay),
        desktop_(desktop),
        drawn_(drawn),
        all_reported_(all_reported) {}
  Result<void> note_changes();
  Result<FrameView> fetch(std::unique_ptr<PixelSegment>& segment, const Rect& wanted);
  Result<void> read_pixels(PixelSegment& segment, const Rect& area);

  const std::shared_ptr<Connection> connection_;
  const std::unique_ptr<Connection> changes_;
  DamageWatch& damage_;
  X11Overlay& overlay_;
  Rect desktop_;  // Taken from the server's last answer.
  DrawnAreas drawn_;
  const bool all_reported_;  // False: what drawn_ reports is not all that changes.
  ChangeHistory history_;
  std::unique_ptr<PixelSegment> frame_;
  std::unique_ptr<PixelSegment> part_;
};

}  // namespace da::actuator::x11
