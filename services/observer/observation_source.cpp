#include "services/observer/observation_source.h"

#include <algorithm>

#include "lib/base/id.h"
#include "services/observer/ui_digest.h"
#include "services/observer/wire.h"

namespace da::observer {
namespace {

// Below the 400 ms of a blinking caret, above the gaps inside an application's own work.
constexpr Milliseconds kQuiet{300};
constexpr Milliseconds kLongestWait{30'000};

}  // namespace

Result<Observed> ObservationSource::observe(const v1::ObserveRequest& request) {
  const std::lock_guard lock(sight_.mutex());
  const auto max_wait = std::min(Milliseconds(request.max_wait_ms()), kLongestWait);
  if (request.settle()) {
    RETURN_IF_ERROR(sight_.refresh(kQuiet, max_wait));
  } else {
    RETURN_IF_ERROR(sight_.refresh(Milliseconds(0), Milliseconds(0)));
  }
  const FrameStore& store = sight_.store();
  Observed observed;
  v1::Observation& observation = observed.observation;
  observation.set_frame_id(store.known_frame_id());
  observation.set_frame_hash(store.frame_hash());
  auto& coordinates = *observation.mutable_coordinates();
  *coordinates.mutable_desktop() = store.head().desktop();
  *coordinates.mutable_monitors() = store.head().monitors();
  const Size size = fit({store.desktop().width, store.desktop().height}, request.image_limits());
  coordinates.set_image_width(static_cast<std::uint32_t>(size.width));
  coordinates.set_image_height(static_cast<std::uint32_t>(size.height));
  *observation.mutable_cursor() = store.head().cursor();
  *observation.mutable_windows() = store.head().windows();
  if (const auto* focused = sight_.focused_window()) *observation.mutable_focused_window() = *focused;
  // Without a quiet time to wait for, the actuator's word means nothing.
  observation.set_settled(request.settle() && store.head().settled());
  describe_change(observation);
  if (const auto tree = sight_.read_ui_tree(request.task_id())) {
    observation.set_ui_digest(ui_digest(*tree));
    observation.set_ui_nodes(static_cast<std::uint32_t>(tree->nodes_size()));
  }
  if (request.image() == v1::IMAGE_WISH_ANNOTATED) {
    observed.image = annotated_image(size);
    observation.set_image_hash(observed.image->image_hash());
  }
  return observed;
}

Result<v1::ImageFact> ObservationSource::zoom(const v1::ZoomRequest& request) {
  const std::lock_guard lock(sight_.mutex());
  RETURN_IF_ERROR(sight_.refresh(Milliseconds(0), Milliseconds(0)));
  const Rect desktop = sight_.store().desktop();
  Rect area = intersection(rect_from_wire(request.area()), desktop);
  if (area.empty()) return Error{Code::kInvalidArgument, "nothing of the area is on the desktop"};
  area.x -= desktop.x;
  area.y -= desktop.y;
  enlarge(sight_.store().pixels().part(area), request.image_limits(), canvas_);
  return image_of_canvas();
}

Result<v1::UiTree> ObservationSource::read_ui(const std::string& task_id) {
  const std::lock_guard lock(sight_.mutex());
  return sight_.read_ui_tree(task_id);
}

void ObservationSource::describe_change(v1::Observation& observation) {
  const FrameStore& store = sight_.store();
  const Change change = compare(before_, store.grid(), store.tile_hashes());
  observation.set_changed_tiles(change.tiles);
  Rect area = change.area;
  area.x += store.desktop().x;
  area.y += store.desktop().y;
  if (!area.empty()) *observation.mutable_changed_area() = rect_to_wire(area);
  before_ = {store.grid(), store.tile_hashes()};
}

v1::ImageFact ObservationSource::annotated_image(Size size) {
  const FrameStore& store = sight_.store();
  const PixelView frame = store.pixels();
  const bool whole = size == Size{frame.width, frame.height};
  const Point cursor = point_from_wire(store.head().cursor());
  const Point at{(cursor.x - store.desktop().x) * size.width / frame.width,
                 (cursor.y - store.desktop().y) * size.height / frame.height};
  annotate(whole ? frame : scale_down(frame, size, scaled_), at, canvas_);
  return image_of_canvas();
}

v1::ImageFact ObservationSource::image_of_canvas() {
  v1::ImageFact image;
  image.set_media_type("image/png");
  image.set_data(encoder_.encode(canvas_));
  image.set_image_hash(to_hex(blake2b(image.data(), 16)));
  return image;
}

}  // namespace da::observer
