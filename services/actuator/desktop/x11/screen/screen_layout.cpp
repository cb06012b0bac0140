#include "services/actuator/desktop/x11/screen/screen_layout.h"

#include <xcb/randr.h>

#include <charconv>

#include "lib/base/text.h"

namespace da::actuator::x11 {
namespace {

std::optional<double> dpi_in(std::string_view resources) {
  constexpr std::string_view kKey = "Xft.dpi:";
  const auto at = resources.find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  const auto line = resources.substr(at + kKey.size());
  const auto value = trim(line.substr(0, line.find('\n')));
  double dpi = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), dpi);
  return parsed.ec == std::errc() && dpi >= 24 && dpi <= 1000 ? std::optional(dpi) : std::nullopt;
}

Result<double> scale_of(Connection& connection) {
  ASSIGN_OR_RETURN(const Property resources, connection.property(connection.root(), "RESOURCE_MANAGER"));
  return dpi_in(resources.bytes).value_or(96.0) / 96.0;
}

Result<std::vector<MonitorInfo>> list_monitors(Connection& connection, double scale) {
  std::vector<MonitorInfo> found;
  if (connection.extension(xcb_randr_id) == nullptr) return found;
  // The server answers GetMonitors only after QueryVersion.
  const auto version = connection.reply(xcb_randr_query_version_reply, xcb_randr_query_version(connection.get(), 1, 5),
                                        "ask RandR's version");
  if (!version || ((*version)->major_version == 1 && (*version)->minor_version < 5)) return found;
  const auto cookie = xcb_randr_get_monitors(connection.get(), connection.root(), 1);
  ASSIGN_OR_RETURN(auto answer, connection.reply(xcb_randr_get_monitors_reply, cookie, "list the monitors"));
  for (auto each = xcb_randr_get_monitors_monitors_iterator(answer.get()); each.rem > 0;
       xcb_randr_monitor_info_next(&each)) {
    const auto& m = *each.data;
    found.push_back({connection.atom_name(m.name), {m.x, m.y, m.width, m.height}, scale});
  }
  return found;
}

}  // namespace

Result<Layout> read_layout(Connection& connection) {
  const auto cookie = xcb_get_geometry(connection.get(), connection.root());
  ASSIGN_OR_RETURN(const auto root, connection.reply(xcb_get_geometry_reply, cookie, "measure the desktop"));
  ASSIGN_OR_RETURN(const double factor, scale_of(connection));
  Layout layout{{0, 0, root->width, root->height}, {}};
  ASSIGN_OR_RETURN(layout.monitors, list_monitors(connection, factor));
  if (layout.monitors.empty()) layout.monitors.push_back({"screen", layout.desktop, factor});
  return layout;
}

}  // namespace da::actuator::x11
