#include "services/actuator/desktop/x11/screen/root_damage.h"

#include <xcb/damage.h>
#include <xcb/xfixes.h>

namespace da::actuator::x11 {

Result<RootDamage> RootDamage::watch(Connection& connection, X11Overlay& overlay) {
  xcb_connection_t* const x = connection.get();
  const auto* damages = connection.extension(xcb_damage_id);
  if (damages == nullptr || connection.extension(xcb_xfixes_id) == nullptr) {
    return Error{Code::kUnimplemented, "the X server has no DAMAGE or no XFIXES extension: cannot detect changes"};
  }
  RETURN_IF_ERROR(
      connection.reply(xcb_damage_query_version_reply, xcb_damage_query_version(x, 1, 1), "ask the version of DAMAGE"));
  RETURN_IF_ERROR(
      connection.reply(xcb_xfixes_query_version_reply, xcb_xfixes_query_version(x, 2, 0), "ask the version of XFIXES"));
  RootDamage damage;
  damage.notice_ = static_cast<std::uint8_t>(damages->first_event + XCB_DAMAGE_NOTIFY);
  for (std::uint32_t* region : {&damage.watched_.kept, &damage.taken_}) {
    *region = xcb_generate_id(x);
    RETURN_IF_ERROR(connection.check(xcb_xfixes_create_region_checked(x, *region, 0, nullptr), "create a region"));
  }
  damage.watched_.damage = xcb_generate_id(x);
  RETURN_IF_ERROR(connection.check(
      xcb_damage_create_checked(x, damage.watched_.damage, connection.root(), XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY),
      "watch the root window for damage"));
  overlay.exclude_from(damage.watched_);
  return damage;
}

Result<std::vector<Rect>> RootDamage::take(Connection& connection) const {
  take_damage(connection, watched_, taken_);
  ASSIGN_OR_RETURN(const auto region,
                   connection.reply(xcb_xfixes_fetch_region_reply, xcb_xfixes_fetch_region(connection.get(), taken_),
                                    "ask what was drawn"));
  std::vector<Rect> drawn;
  const xcb_rectangle_t* const rectangles = xcb_xfixes_fetch_region_rectangles(region.get());
  for (int i = 0; i < xcb_xfixes_fetch_region_rectangles_length(region.get()); ++i) {
    const xcb_rectangle_t& r = rectangles[i];
    drawn.push_back({r.x, r.y, r.width, r.height});
  }
  return drawn;
}

}  // namespace da::actuator::x11
