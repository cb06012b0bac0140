// What of the desktop must not leave the actuator now: the owner's masks, and the fields that hold a secret.
//
// Pixels come by capture(), with the areas to black out in them. Elements are located within their windows before and
// after, and the windows just before and just after, again until they stood still meanwhile. An area stays masked for a
// moment after it has gone, because applications and the server paint later than they say. What cannot be located (an
// application that hangs, a window that opened since, a field that keeps moving within its window) is masked by its
// whole window, and where windows never stand still, everything is. Costs nothing while there are no masks and no
// secrets; else some questions for each field, and the tree of each window that a mask on elements covers, twice a
// capture. Not thread-safe: the desktop's lock guards it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/masked_area.h"
#include "services/actuator/masks.h"
#include "services/actuator/secret_fields.h"
#include "services/actuator/secrets.h"

namespace da::actuator {

// What is masked at one moment.
struct Masked {
  std::vector<MaskedArea> areas;
  std::vector<WindowInfo> windows;  // All of them, where anything is masked.
};

struct MaskedView {
  FrameView view;  // As it is on the screen.
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

  // The whole desktop, or a part of it. An error only where the desktop itself fails: nothing may leave then.
  Result<MaskedView> capture(Desktop& desktop, const std::optional<Rect>& part, const Clock& clock);

  // Where masks are now, for texts and for pixels that were compared at leisure.
  Result<Masked> locate(Desktop& desktop, const Clock& clock);

  // Takes out of an element what is masked. Text goes where a masked area touches it, the name where half of it is
  // covered by an area that hides names.
  void hide(Element& element, const Masked& masked) const;
  // Text alone: rules have to see what an element is called.
  void hide_text(Element& element, const Masked& masked) const;
  // Marks a title that a mask hides, and replaces secrets in it that the window's program was given, or may have been.
  // The title itself stays: rules have to see it.
  void hide(WindowInfo& window) const;
  // A message that may repeat such a title.
  void hide(std::string& message) const;

 private:
  template <class Area>
  struct Seen {
    Area area;
    MonoTime at;
  };
  // Within their windows, and which windows were looked into.
  struct Found {
    std::vector<AnchoredArea> areas;
    std::set<std::string> windows;
  };

  bool masks_nothing() const { return masks_.all().empty() && fields_.empty() && recent_.empty() && placed_.empty(); }
  Result<Found> find(Desktop& desktop, const Clock& clock);
  Result<void> find_in_window(Desktop& desktop, const WindowInfo& window, const Clock& clock, Found& found) const;
  void mask_restless(Found& found) const;
  // Found areas, those of a moment ago, and windows that masks cover whole or that nobody has looked into.
  std::vector<MaskedArea> place_all(const Found& found, const std::vector<WindowInfo>& windows, MonoTime now);
  std::set<std::string> watched(const std::vector<WindowInfo>& windows, const Found& found) const;
  bool covers(const Mask& mask, const Element& element, const Masked& masked) const;

  Masks masks_;
  Secrets secrets_;
  SecretFields fields_;
  std::vector<Seen<AnchoredArea>> recent_;
  std::vector<Seen<MaskedArea>> placed_;
};

}  // namespace da::actuator
