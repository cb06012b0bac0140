#include "services/actuator/desktop/x11/screen/drawn_areas.h"

#include <algorithm>
#include <string_view>

namespace da::actuator::x11 {
namespace {

// Extensions by which programs draw past the server.
constexpr std::string_view kDirectAccess[] = {"DRI2",   "DRI3",       "XFree86-DRI",    "XFree86-DGA",
                                              "NV-GLX", "NV-CONTROL", "ATIFGLEXTENSION"};

}  // namespace

Result<DrawnAreas> DrawnAreas::watch(Connection& connection, X11Overlay& overlay) {
  xcb_connection_t* const xcb = connection.get();
  const auto* damages = connection.extension(xcb_damage_id);
  if (damages == nullptr || connection.extension(xcb_xfixes_id) == nullptr) {
    return Error{Code::kUnimplemented, "the X server has no DAMAGE or no XFIXES extension: cannot detect changes"};
  }
  RETURN_IF_ERROR(connection.reply(xcb_damage_query_version_reply, xcb_damage_query_version(xcb, 1, 1),
                                   "ask the version of DAMAGE"));
  RETURN_IF_ERROR(connection.reply(xcb_xfixes_query_version_reply, xcb_xfixes_query_version(xcb, 2, 0),
                                   "ask the version of XFIXES"));
  DrawnAreas drawn(connection);
  drawn.notice_ = static_cast<std::uint8_t>(damages->first_event + XCB_DAMAGE_NOTIFY);
  for (std::uint32_t* region : {&drawn.watched_.kept, &drawn.taken_}) {
    *region = xcb_generate_id(xcb);
    RETURN_IF_ERROR(connection.check(xcb_xfixes_create_region_checked(xcb, *region, 0, nullptr), "create a region"));
  }
  drawn.watched_.damage = xcb_generate_id(xcb);
  RETURN_IF_ERROR(connection.check(
      xcb_damage_create_checked(xcb, drawn.watched_.damage, connection.root(), XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY),
      "watch the root window for damage"));
  overlay.exclude_from(drawn.watched_);
  return drawn;
}

Result<std::vector<Rect>> DrawnAreas::take() {
  take_damage(*connection_, watched_, taken_);
  ASSIGN_OR_RETURN(const auto region,
                   connection_->reply(xcb_xfixes_fetch_region_reply,
                                      xcb_xfixes_fetch_region(connection_->get(), taken_), "ask what was drawn"));
  std::vector<Rect> drawn;
  const xcb_rectangle_t* const rectangles = xcb_xfixes_fetch_region_rectangles(region.get());
  for (int i = 0; i < xcb_xfixes_fetch_region_rectangles_length(region.get()); ++i) {
    const xcb_rectangle_t& r = rectangles[i];
    drawn.push_back({r.x, r.y, r.width, r.height});
  }
  return drawn;
}

Result<bool> reports_all_drawing(const Connection& connection) {
  ASSIGN_OR_RETURN(const auto list, connection.reply(xcb_list_extensions_reply, xcb_list_extensions(connection.get()),
                                                     "list the X server's extensions"));
  for (auto each = xcb_list_extensions_names_iterator(list.get()); each.rem > 0; xcb_str_next(&each)) {
    const std::string_view name(xcb_str_name(each.data), static_cast<std::size_t>(xcb_str_name_length(each.data)));
    if (std::ranges::find(kDirectAccess, name) != std::end(kDirectAccess)) return false;
  }
  return true;
}

}  // namespace da::actuator::x11
