// Parts of the screen that must not leave the actuator, and how they are blackened. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator {

enum class Hides { kText, kNamesToo };

// Desktop pixels.
struct MaskedArea {
  Rect area;
  Hides hides = Hides::kText;
  friend bool operator==(const MaskedArea&, const MaskedArea&) = default;
};

// A part of a window, which moves with it.
struct AnchoredArea {
  std::string window_id;          // Empty: anchored to the desktop.
  std::optional<Rect> in_window;  // Relative to the origin of the window or desktop; nullopt: the whole window.
  Hides hides = Hides::kText;
  friend bool operator==(const AnchoredArea&, const AnchoredArea&) = default;
};

inline Rect moved(const Rect& rect, int dx, int dy) { return {rect.x + dx, rect.y + dy, rect.width, rect.height}; }

// nullptr if there is none.
const WindowInfo* find_window(const std::vector<WindowInfo>& windows, const std::string& id);

// The area's place on the desktop now; nullopt if its window is gone or minimized.
std::optional<MaskedArea> place(const AnchoredArea& area, const std::vector<WindowInfo>& windows);

// Blackens the areas in `pixels`: BGRX rows of `place`, `stride` bytes apart.
void black_out(std::uint8_t* pixels, std::size_t stride, const Rect& place, const std::vector<MaskedArea>& areas);

}  // namespace da::actuator
