#include "services/console/profiles/add.h"

#include <iostream>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "services/console/exit_codes.h"
#include "services/console/pixels.h"
#include "services/console/profiles/added_text.h"
#include "services/console/profiles/pick.h"
#include "services/console/profiles/place.h"
#include "services/console/profiles/service_programs.h"
#include "services/console/session/look_at_desktop.h"

namespace da::console {
namespace {

enum class Picture { kNo, kYes };

Result<PlaceWish> read_wish(const AddToProfileOptions& options) {
  PlaceWish wish{{}, {}, options.window};
  std::error_code error;
  if (!std::filesystem::is_regular_file(options.profile, error)) {
    return Error{Code::kNotFound,
                 "there is no profile " + quote_foreign(text_of(options.profile)) + "; da-console edit makes one"};
  }
  if (!options.rect.empty()) {
    wish.rect = parse_rect(options.rect);
    if (!wish.rect) {
      return Error{Code::kInvalidArgument,
                   "--rect " + quote_foreign(options.rect) + " is not X,Y,WIDTH,HEIGHT in pixels"};
    }
  }
  if (!options.pick) return wish;
  if (!options.config.empty() || options.backend != "x11") {
    return Error{Code::kInvalidArgument,
                 "--pick works only on the X11 desktop of this machine, without --config: run it on the machine of the "
                 "desktop, or use --rect"};
  }
  ASSIGN_OR_RETURN(wish.marked.emplace(), pick_place());
  return wish;
}

Result<v1::Observation> look(const AddToProfileOptions& options, Picture picture) {
  v1::Observation seen;
  RETURN_IF_ERROR(look_at_desktop({.config = options.config,
                                   .backend = options.backend,
                                   .purpose = "look for the place of a region or a template of a profile"},
                                  [&](const ObserverClient& observer) -> Result<void> {
                                    ASSIGN_OR_RETURN(seen, picture == Picture::kYes ? observer.observe_picture()
                                                                                    : observer.observe());
                                    return ok();
                                  }));
  return seen;
}

nlohmann::ordered_json region_entry(const AddToProfileOptions& options, const Place& place) {
  nlohmann::ordered_json entry = {{"name", options.name}};
  entry["window"] = place.pattern.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(place.pattern);
  entry["x"] = place.area.x;
  entry["y"] = place.area.y;
  entry["width"] = place.area.width;
  entry["height"] = place.area.height;
  if (!options.comment.empty()) entry["comment"] = options.comment;
  return entry;
}

int finish(const AddToProfileOptions& options, const Place& place, const Result<nlohmann::ordered_json>& added) {
  if (!added) return report(added.error());
  if (options.format == Format::kJson) {
    std::cout << added_json(options, place, *added) << std::endl;
  } else {
    std::cout << added_text(options, place, *added) << std::flush;
  }
  return kDone;
}

}  // namespace

int add_region(const AddToProfileOptions& options) {
  ASSIGN_OR_REPORT(const auto wish, read_wish(options));
  const auto seen = look(options, Picture::kNo);
  if (!seen && wish.marked && !wish.window.empty()) return report(seen.error());
  ASSIGN_OR_REPORT(auto place, find_place(wish, seen ? &*seen : nullptr));
  if (!seen)
    place.notes.push_back("the desktop could not be seen, so the place is not checked: " + seen.error().message);
  return finish(options, place,
                add_to_profile({.list = "regions",
                                .profile = options.profile,
                                .entry = region_entry(options, place),
                                .replace = options.replace,
                                .picture = {}}));
}

int add_template(const AddToProfileOptions& options) {
  ASSIGN_OR_REPORT(const auto wish, read_wish(options));
  ASSIGN_OR_REPORT(const auto seen, look(options, Picture::kYes));
  ASSIGN_OR_REPORT(const auto place, find_place(wish, &seen));
  if (!place.notes.empty()) return report({Code::kNotFound, "the picture cannot be taken: " + place.notes.front()});
  const Rect desktop = contract::from_proto(seen.coordinates().desktop());
  const Rect& area = *place.on_desktop;
  ASSIGN_OR_REPORT(const auto picture, crop_picture(seen.returned_image().data(),
                                                    {area.x - desktop.x, area.y - desktop.y, area.width, area.height}));
  nlohmann::ordered_json entry = {{"name", options.name}};
  if (!options.comment.empty()) entry["comment"] = options.comment;
  return finish(options, place,
                add_to_profile({.list = "templates",
                                .profile = options.profile,
                                .entry = std::move(entry),
                                .replace = options.replace,
                                .picture = picture}));
}

}  // namespace da::console
