// Parts of the screen that must not leave the actuator, and how they are made black. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

enum class Hides { kText, kNamesToo };

// In desktop pixels.
struct MaskedArea {
  Rect area;
  Hides hides = Hides::kText;
  friend bool operator==(const MaskedArea&, const MaskedArea&) = default;
};

// Moves with a window.
struct AnchoredArea {
  std::string window_id;          // Empty: anchored to the desktop.
  std::optional<Rect> in_window;  // Relative to the window's origin, or the desktop's; nullopt: the whole window.
  Hides hides = Hides::kText;
  friend bool operator==(const AnchoredArea&, const AnchoredArea&) = default;
};

inline Rect moved(const Rect& rect, int dx, int dy) { return {rect.x + dx, rect.y + dy, rect.width, rect.height}; }

// nullptr where it is not among them.
const WindowInfo* find_window(const std::vector<WindowInfo>& windows, const std::string& id);

// Where it is now; nullopt where its window is gone or minimized.
std::optional<MaskedArea> place(const AnchoredArea& area, const std::vector<WindowInfo>& windows);

// Makes black what the areas cover: `pixels` are BGRX rows of `place`, `stride` bytes apart.
void black_out(std::uint8_t* pixels, std::size_t stride, const Rect& place, const std::vector<MaskedArea>& areas);

}  // namespace da::actuator
