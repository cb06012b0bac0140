// The parts of the desktop that must not leave the actuator now: the owner's masks, and fields that contain a secret.
//
// capture() returns pixels together with the areas to blacken. Elements are located within their windows before and
// after it; windows just before and just after, repeatedly until none moved meanwhile. An area stays masked for a
// moment after it has gone, because applications and the X server paint later than they report. If an element cannot be
// located (its application hangs, its window has just opened, it keeps moving, its application's places do not fit its
// window), its whole window is masked; also if a field contains a secret and a busy machine makes the capture slow. If
// windows never stand still, the whole screen is masked. Free of cost without masks and secrets. Otherwise a capture
// costs, twice, some requests for each field and the tree of each window that an element mask covers.
// Not thread-safe: the desktop's lock guards it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/privacy/masked_area.h"
#include "services/actuator/privacy/masks.h"
#include "services/actuator/privacy/secret_fields.h"
#include "services/actuator/privacy/secrets.h"

namespace da::actuator {

// What is masked at one moment.
struct Masked {
  std::vector<MaskedArea> areas;
  std::vector<WindowInfo> windows;  // All windows; empty if nothing is masked.
};

struct MaskedView {
  FrameView view;  // Not blackened yet.
  std::vector<MaskedArea> masked;
};

class ScreenMask {
 public:
  ScreenMask() = default;
  ScreenMask(Masks masks, Secrets secrets) : masks_(std::move(masks)), secrets_(std::move(secrets)) {}

  const Secrets& secrets() const { return secrets_; }
  const Masks& masks() const { return masks_; }
  SecretFields& fields() { return fields_; }
  const SecretFields& fields() const { return fields_; }

  // Captures the whole desktop or `part`. Fails only if the desktop fails; then nothing may leave the actuator.
  Result<MaskedView> capture(Desktop& desktop, const std::optional<Rect>& part, const Clock& clock);

  // Locates the masked areas now, for texts and for pixels that were captured before.
  Result<Masked> locate(Desktop& desktop, const Clock& clock);

  // Clears the text of an element that a masked area touches, and the name of an element that is at least half covered
  // by an area that hides names.
  void hide(Element& element, const Masked& masked) const;
  // Clears the text only: rules judge by the name.
  void hide_text(Element& element, const Masked& masked) const;
  // Marks a masked title but keeps it, because rules judge by it. Redacts the secrets that the window's program was
  // given; if it is unknown, those that any program was given.
  void hide(WindowInfo& window) const;
  // Redacts the secrets that a program was given in a message, which may quote such a title. `known`: what the reader
  // of the message has written itself (Secrets::redact()).
  void hide(std::string& message, std::string_view known = {}) const;
  // Also what such a message quotes, if it may be a masked title. `windows`: all of them, as the other hide() left
  // them.
  void hide_titles(std::string& message, const std::vector<WindowInfo>& windows) const;

  // Nothing is masked now, and no capture was a moment ago.
  bool masks_nothing() const { return masks_.all().empty() && fields_.empty() && recent_.empty() && placed_.empty(); }

 private:
  template <class Area>
  struct Seen {
    Area area;
    MonoTime at;
  };
  // Areas within their windows, and the windows that were searched for elements.
  struct Found {
    std::vector<AnchoredArea> areas;
    std::set<std::string> windows;
    MonoTime fields_read{};  // When reading the fields with secrets began.
  };

  Result<Found> find(Desktop& desktop, const Clock& clock);
  Result<void> find_in_window(Desktop& desktop, const WindowInfo& window, const Clock& clock, Found& found) const;
  void mask_restless(Found& found) const;
  // Found areas, those of a moment ago, and windows that are masked as a whole or were not searched.
  std::vector<MaskedArea> place_all(const Found& found, const std::vector<WindowInfo>& windows, MonoTime now);
  std::set<std::string> watched(const std::vector<WindowInfo>& windows, const Found& found) const;
  bool covers(const Mask& mask, const Element& element, const Masked& masked) const;
  static bool may_show_in(const MaskedArea& area, const Element& element, const Masked& masked);

  Masks masks_;
  Secrets secrets_;
  SecretFields fields_;
  std::vector<Seen<AnchoredArea>> recent_;
  std::vector<Seen<MaskedArea>> placed_;
};

}  // namespace da::actuator
