// Where and in which words an overlay shows its content, the same on every back end. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "services/actuator/desktop/roles/overlay.h"
#include "services/actuator/desktop/roles/screen.h"

namespace da::actuator {

struct Size {
  int width = 0;
  int height = 0;
};

struct OverlayLine {
  std::string text;
  std::uint32_t colour = 0;  // 0xRRGGBB
};

constexpr std::uint32_t kBannerColour = 0x1f2430;
constexpr std::uint32_t kMarkerColour = 0xff5a00;
// Sizes in pixels at scale 1.0.
constexpr int kOverlayTextPixels = 16;
constexpr int kBannerPadding = 10;

// Returns the lines from top to bottom.
std::vector<OverlayLine> overlay_lines(const OverlayContent& content);

// The place of a banner of this size: at the top of the marker's monitor (the first one without a marker), or at its
// bottom if it would cover the marker at the top. A banner larger than the monitor is cut.
Rect place_banner(const Size& size, std::span<const MonitorInfo> monitors, const std::optional<Rect>& marker);

// The scale of the monitor that place_banner() chooses.
double banner_scale(std::span<const MonitorInfo> monitors, const std::optional<Rect>& marker);

// The bars of an outline around the marker, as far as they are inside the desktop. The marker itself stays free.
std::vector<Rect> marker_bars(const Rect& marker, const Rect& desktop);

}  // namespace da::actuator
