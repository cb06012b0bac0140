#include "lib/contract/evidence/visual_similarity.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace da::contract {
namespace {

constexpr int kPlaceTolerancePixels = 2;

// Brightness differences (of 255) between a pixel and its neighbour. Outlines of text and icons are strong. They stay
// at least weak when a theme greys them out in an unfocused window or lights them up under the pointer. So a strong
// outline that is not even weak in the other look means other content, not other colours.
constexpr int kStrongOutline = 48;
constexpr int kWeakOutline = 16;

// All changed outlines of content must fit into one caret: a terminal's block, or an editor's bar at 200 %.
constexpr Point kCaret{16, 32};

// Largest share of a content's pixels that may change by more than themes' gradients do. Detects another blank page.
constexpr int kGradient = 16;
constexpr double kRecolouredShare = 0.25;

// Share of a control's outlines that must remain. Fewer mean that something without its label covers it.
constexpr double kRemainingOutlines = 0.5;

constexpr auto kControls =
    std::to_array<std::string_view>({"button", "check box", "check menu item", "combo box", "icon", "link", "list item",
                                     "menu", "menu item", "page tab", "push button", "radio button", "radio menu item",
                                     "switch", "table cell", "table column header", "toggle button", "tree item"});

class BrightnessGrid {
 public:
  BrightnessGrid(std::string_view bytes, int width)
      : bytes_(bytes), width_(width), height_(static_cast<int>(bytes.size()) / width) {}
  int width() const { return width_; }
  int height() const { return height_; }
  int at(int x, int y) const {
    return static_cast<unsigned char>(
        bytes_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)]);
  }
  // The brightness difference to the right or downwards, whichever is larger.
  int outline(int x, int y) const {
    const int here = at(x, y);
    const int right = x + 1 < width_ ? std::abs(at(x + 1, y) - here) : 0;
    const int down = y + 1 < height_ ? std::abs(at(x, y + 1) - here) : 0;
    return std::max(right, down);
  }

 private:
  std::string_view bytes_;
  int width_;
  int height_;
};

bool control_alike(const BrightnessGrid& before, const BrightnessGrid& now) {
  int outlines = 0;
  int remaining = 0;
  for (int y = 0; y < before.height(); ++y) {
    for (int x = 0; x < before.width(); ++x) {
      if (before.outline(x, y) <= kStrongOutline) continue;
      ++outlines;
      if (now.outline(x, y) > kWeakOutline) ++remaining;
    }
  }
  return remaining >= kRemainingOutlines * outlines;
}

bool content_alike(const BrightnessGrid& before, const BrightnessGrid& now) {
  Rect changed;
  int recoloured = 0;
  for (int y = 0; y < before.height(); ++y) {
    for (int x = 0; x < before.width(); ++x) {
      if (std::abs(before.at(x, y) - now.at(x, y)) > kGradient) ++recoloured;
      const int then = before.outline(x, y);
      const int today = now.outline(x, y);
      if ((then > kStrongOutline && today <= kWeakOutline) || (today > kStrongOutline && then <= kWeakOutline)) {
        changed = bounding(changed, {x, y, 1, 1});
      }
    }
  }
  return changed.width <= kCaret.x && changed.height <= kCaret.y &&
         recoloured <= kRecolouredShare * before.width() * before.height();
}

bool close(int a, int b) { return std::abs(std::int64_t{a} - std::int64_t{b}) <= kPlaceTolerancePixels; }

}  // namespace

Surface surface_of(std::string_view role, std::string_view name) {
  return !name.empty() && std::ranges::find(kControls, role) != kControls.end() ? Surface::kControl : Surface::kContent;
}

std::uint8_t brightness(const std::uint8_t* bgrx) {
  return static_cast<std::uint8_t>((bgrx[0] * 29 + bgrx[1] * 150 + bgrx[2] * 77) >> 8);  // ITU-R BT.601.
}

bool looks_alike(std::string_view before, std::string_view now, int width, Surface surface) {
  if (before == now) return true;
  if (width <= 0 || before.size() != now.size() || before.size() % static_cast<std::size_t>(width) != 0) return false;
  const BrightnessGrid then(before, width);
  const BrightnessGrid today(now, width);
  return surface == Surface::kControl ? control_alike(then, today) : content_alike(then, today);
}

bool same_place(Point before, Point now) { return close(before.x, now.x) && close(before.y, now.y); }

}  // namespace da::contract
