#include "services/actuator/desktop/x11/screen/screen_changes.h"

#include <xcb/damage.h>
#include <xcb/xfixes.h>

namespace da::actuator::x11 {

Result<std::unique_ptr<ScreenChanges>> ScreenChanges::open(const std::string& display, const Clock& clock) {
  ASSIGN_OR_RETURN(auto connection, Connection::open(display, clock));
  xcb_connection_t* const xcb = connection->get();
  const auto* damages = connection->extension(xcb_damage_id);
  if (damages == nullptr || connection->extension(xcb_xfixes_id) == nullptr) {
    return Error{Code::kUnimplemented, "the X server has no DAMAGE or no XFIXES extension: cannot detect changes"};
  }
  RETURN_IF_ERROR(connection->reply(xcb_damage_query_version_reply, xcb_damage_query_version(xcb, 1, 1),
                                    "ask the version of DAMAGE"));
  RETURN_IF_ERROR(connection->reply(xcb_xfixes_query_version_reply, xcb_xfixes_query_version(xcb, 2, 0),
                                    "ask the version of XFIXES"));
  const std::uint32_t region = xcb_generate_id(xcb);
  RETURN_IF_ERROR(connection->check(xcb_xfixes_create_region_checked(xcb, region, 0, nullptr), "create a region"));
  const std::uint32_t damage = xcb_generate_id(xcb);
  RETURN_IF_ERROR(
      connection->check(xcb_damage_create_checked(xcb, damage, connection->root(), XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY),
                        "watch the root window for damage"));
  RETURN_IF_ERROR(connection->select_events(connection->root(), XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY));
  return std::unique_ptr<ScreenChanges>(new ScreenChanges(
      std::move(connection), damage, region, static_cast<std::uint8_t>(damages->first_event + XCB_DAMAGE_NOTIFY)));
}

// Window events that the server sent before the reply have arrived with the reply.
Result<Changes> ScreenChanges::take() {
  xcb_connection_t* const xcb = connection_->get();
  Changes changes;
  xcb_damage_subtract(xcb, damage_, XCB_NONE, region_);
  ASSIGN_OR_RETURN(const auto region, connection_->reply(xcb_xfixes_fetch_region_reply,
                                                         xcb_xfixes_fetch_region(xcb, region_), "ask what was drawn"));
  const xcb_rectangle_t* const rectangles = xcb_xfixes_fetch_region_rectangles(region.get());
  for (int i = 0; i < xcb_xfixes_fetch_region_rectangles_length(region.get()); ++i) {
    const xcb_rectangle_t& r = rectangles[i];
    changes.drawn.push_back({r.x, r.y, r.width, r.height});
  }
  while (const EventPtr event = connection_->pending_event()) {
    changes.windows = changes.windows || event_type(*event) != damage_event_;
  }
  return changes;
}

}  // namespace da::actuator::x11
