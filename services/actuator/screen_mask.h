// What of the desktop must not leave the actuator now: the owner's masks, and the fields that hold a secret.
//
// Pixels: ask locate() before and after a capture and black out both answers, so that what moved or opened in between
// is covered at both places. An area stays masked for a moment after it has gone, because an application may paint
// later than it says. What cannot be located (an application that hangs) is masked by its whole window.
// Costs nothing while there are no masks and no secrets; else one question for each field, and the tree of each window
// that a mask on elements covers. Not thread-safe: the desktop's lock guards it.
#pragma once

#include <string>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/masks.h"
#include "services/actuator/secret_fields.h"
#include "services/actuator/secrets.h"

namespace da::actuator {

enum class Hides { kText, kNamesToo };

struct MaskedArea {
  Rect area;
  Hides hides = Hides::kText;
  friend bool operator==(const MaskedArea&, const MaskedArea&) = default;
};

// What is masked at one moment.
struct Masked {
  std::vector<MaskedArea> areas;
  std::vector<WindowInfo> windows;  // All of them, where anything is masked.
};

class ScreenMask {
 public:
  ScreenMask() = default;
  ScreenMask(Masks masks, Secrets secrets) : masks_(std::move(masks)), secrets_(std::move(secrets)) {}

  const Secrets& secrets() const { return secrets_; }
  const Masks& masks() const { return masks_; }
  SecretFields& fields() { return fields_; }
  const SecretFields& fields() const { return fields_; }

  // An error only where the desktop itself fails: nothing may leave then.
  Result<Masked> locate(Desktop& desktop, const Clock& clock);

  // Takes out of an element what is masked. Text goes where a masked area touches it, the name where half of it is
  // covered by an area that hides names.
  void hide(Element& element, const Masked& masked) const;
  // Text alone: rules have to see what an element is called.
  void hide_text(Element& element, const Masked& masked) const;
  // A title that repeats a secret which the window's program was given.
  void hide(WindowInfo& window) const;
  // A message that may repeat such a title.
  void hide(std::string& message) const;

 private:
  struct Seen {
    MaskedArea area;
    MonoTime at;
  };
  Result<std::vector<MaskedArea>> locate_now(Desktop& desktop, const std::vector<WindowInfo>& windows,
                                             const Clock& clock);
  Result<std::vector<MaskedArea>> of_window(UiTree& tree, const WindowInfo& window, MonoTime deadline) const;
  bool covers(const Mask& mask, const Element& element, const Masked& masked) const;

  Masks masks_;
  Secrets secrets_;
  SecretFields fields_;
  std::vector<Seen> seen_;
};

// Makes black what the areas cover: `pixels` are BGRX rows of `place`, `stride` bytes apart.
void black_out(std::uint8_t* pixels, std::size_t stride, const Rect& place, const std::vector<MaskedArea>& areas);

}  // namespace da::actuator
