#include "services/actuator/desktop/x11/windows/press_surface.h"

#include <charconv>

namespace da::actuator::x11 {
namespace {

constexpr std::string_view kOf = " of ";
constexpr std::string_view kGrabbed = ", grabbed";

std::optional<xcb_window_t> take_number(std::string_view& text) {
  xcb_window_t number = XCB_NONE;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string PressSurface::text() const {
  return std::to_string(window) + std::string(kOf) + std::to_string(client) + std::string(grabbed ? kGrabbed : "");
}

std::optional<PressSurface> PressSurface::parse(std::string_view text) {
  const auto window = take_number(text);
  if (!window || !text.starts_with(kOf)) return std::nullopt;
  text.remove_prefix(kOf.size());
  const auto client = take_number(text);
  if (!client || (!text.empty() && text != kGrabbed)) return std::nullopt;
  return PressSurface{*window, *client, !text.empty()};
}

}  // namespace da::actuator::x11
