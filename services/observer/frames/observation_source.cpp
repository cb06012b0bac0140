#include "services/observer/frames/observation_source.h"

#include <algorithm>

#include "lib/base/id.h"
#include "services/observer/elements/ui_digest.h"
#include "services/observer/frames/wire.h"
#include "services/observer/image/annotate.h"
#include "services/observer/marks/draw_marks.h"
#include "services/observer/marks/marks.h"

namespace da::observer {
namespace {

// Shorter than the 400 ms of a blinking caret, longer than the pauses between an application's redraws.
constexpr Milliseconds kQuiet{300};
// Quiet time while the focused application does no work: longer than it waits for the window manager or another
// service.
constexpr Milliseconds kIdle{100};
constexpr Milliseconds kLongestWait{30'000};

// Image pixels. A box would hide a smaller element.
constexpr int kSmallestMark = 6;

// Half the side of the area around the cursor that numbers avoid; image pixels.
constexpr int kCrosshair = 16;

// Rounded outwards to all image pixels that show a part of `bounds`.
Rect to_image(const Rect& bounds, const Rect& desktop, Size size) {
  const auto scaled = [](std::int64_t at, int to, int from, int round) {
    return static_cast<int>((at * to + round) / from);
  };
  const int x = scaled(bounds.x - desktop.x, size.width, desktop.width, 0);
  const int y = scaled(bounds.y - desktop.y, size.height, desktop.height, 0);
  const int right = scaled(bounds.right() - desktop.x, size.width, desktop.width, desktop.width - 1);
  const int bottom = scaled(bounds.bottom() - desktop.y, size.height, desktop.height, desktop.height - 1);
  return {x, y, right - x, bottom - y};
}

}  // namespace

Result<Observed> ObservationSource::observe(const v1::ObserveRequest& request) {
  const auto lock = frames_.look_for({request.task_id(), request.observation_token()});
  const auto max_wait = std::min(Milliseconds(request.max_wait_ms()), kLongestWait);
  FrameCache::Wait wait;
  if (request.settle()) wait = {kQuiet, max_wait, request.for_keys() ? kIdle : Milliseconds(0)};
  RETURN_IF_ERROR(frames_.refresh(wait));
  const FrameStore& store = frames_.store();
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
  observation.set_cursor_shape(store.head().cursor_shape());
  *observation.mutable_windows() = store.head().windows();
  observation.set_focus_unmanaged(store.head().focus_unmanaged());
  *observation.mutable_launched() = store.head().launched();
  if (const auto* focused = frames_.focused_window()) *observation.mutable_focused_window() = *focused;
  // Without a quiet time in the request, the actuator's `settled` has no meaning.
  observation.set_settled(request.settle() && store.head().settled());
  // An observation without a task must not consume the task's changes.
  if (!request.task_id().empty()) describe_change(observation);
  const bool wanted = request.image() == v1::IMAGE_WISH_ANNOTATED || request.image() == v1::IMAGE_WISH_PLAIN;
  if (request.without_elements()) return observed;
  // Read it immediately after the frame, so that both show the same moment.
  const auto tree = frames_.read_ui_tree();
  Boxes boxes;
  if (tree) {
    observation.set_ui_digest(ui_digest(*tree));
    observation.set_ui_nodes(static_cast<std::uint32_t>(tree->nodes_size()));
    if (wanted && request.marks()) boxes = mark(*tree, size, observation);
  }
  if (wanted) {
    if (request.image() == v1::IMAGE_WISH_ANNOTATED) boxes.clear = keep_clear(tree ? &*tree : nullptr, size);
    observed.image = image(request, size, boxes);
    observation.set_image_hash(observed.image->image_hash());
  }
  return observed;
}

Result<v1::ImageFact> ObservationSource::zoom(const v1::ZoomRequest& request) {
  const auto lock = frames_.look_for({request.task_id(), request.observation_token()});
  RETURN_IF_ERROR(frames_.refresh({}));
  const Rect desktop = frames_.store().desktop();
  Rect area = intersection(rect_from_wire(request.area()), desktop);
  if (area.empty()) return Error{Code::kInvalidArgument, "the area is outside the desktop"};
  area.x -= desktop.x;
  area.y -= desktop.y;
  enlarge(frames_.store().pixels().part(area), request.image_limits(), canvas_);
  return image_of_canvas(request.image_limits());
}

Result<v1::UiTree> ObservationSource::read_ui(const v1::ReadUiRequest& request) {
  const auto lock = frames_.look_for({request.task_id(), request.observation_token()});
  if (!request.element_id().empty()) return read_element(request.element_id());
  return frames_.read_ui_tree();
}

// A busy application is no lost service: its elements are then missing in the whole tree.
Result<v1::UiTree> ObservationSource::read_element(const std::string& element_id) {
  v1::UiTree tree;
  auto node = frames_.read_element(element_id);
  if (node) *tree.add_nodes() = *std::move(node);
  if (node || node.error().code == Code::kNotFound) return tree;
  ASSIGN_OR_RETURN(tree, frames_.read_ui_tree());
  auto& nodes = *tree.mutable_nodes();
  const auto is_other = [&](const v1::UiNode& each) { return each.element_id() != element_id; };
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(), is_other), nodes.end());
  return tree;
}

void ObservationSource::describe_change(v1::Observation& observation) {
  const FrameStore& store = frames_.store();
  const Change change = compare(before_, store.grid(), store.tile_hashes());
  observation.set_changed_tiles(change.tiles);
  Rect area = change.area;
  area.x += store.desktop().x;
  area.y += store.desktop().y;
  if (!area.empty()) *observation.mutable_changed_area() = rect_to_wire(area);
  before_ = {store.grid(), store.tile_hashes()};
}

ObservationSource::Boxes ObservationSource::mark(const v1::UiTree& tree, Size size,
                                                 v1::Observation& observation) const {
  const Rect desktop = frames_.store().desktop();
  const auto windows = frames_.windows();
  const int smallest = (kSmallestMark * desktop.width + size.width - 1) / size.width;
  const auto areas = frames_.click_areas();
  const Marks chosen = choose_marks(tree, {windows, desktop, areas}, smallest);
  Boxes boxes;
  for (const Mark& mark : chosen.marks) {
    *observation.add_marked() = describe(mark);
    boxes.marked.push_back(to_image(mark.bounds, desktop, size));
  }
  for (const Rect& bounds : chosen.disabled) boxes.disabled.push_back(to_image(bounds, desktop, size));
  return boxes;
}

KeepClear ObservationSource::keep_clear(const v1::UiTree* tree, Size size) const {
  const Rect desktop = frames_.store().desktop();
  const auto windows = frames_.windows();
  const auto areas = frames_.click_areas();
  KeepClear clear = keep_clear_of(tree, {windows, desktop, areas});
  for (auto* areas : {&clear.elements, &clear.unknown}) {
    for (Rect& area : *areas) area = to_image(area, desktop, size);
  }
  return clear;
}

v1::ImageFact ObservationSource::image(const v1::ObserveRequest& request, Size size, const Boxes& boxes) {
  const FrameStore& store = frames_.store();
  const frames::PixelView whole = store.pixels();
  const frames::PixelView frame = size == Size{whole.width, whole.height} ? whole : scale_down(whole, size, scaled_);
  std::vector<Rect> drawn;
  if (request.image() == v1::IMAGE_WISH_PLAIN) {
    draw_plain(frame, canvas_);
  } else {
    const Point cursor = point_from_wire(store.head().cursor());
    const Point at{(cursor.x - store.desktop().x) * size.width / whole.width,
                   (cursor.y - store.desktop().y) * size.height / whole.height};
    drawn.push_back(annotate(frame, at, canvas_, boxes.clear));
    drawn.push_back({at.x - kCrosshair, at.y - kCrosshair, 2 * kCrosshair, 2 * kCrosshair});
  }
  draw_marks({frame, boxes.marked, boxes.disabled, drawn}, canvas_);
  return image_of_canvas(request.image_limits());
}

v1::ImageFact ObservationSource::image_of_canvas(const v1::ImageLimits& limits) {
  EncodedImage encoded = encoder_.encode(canvas_, limits.jpeg() ? Formats::kPngOrJpeg : Formats::kPng);
  v1::ImageFact image;
  image.set_media_type(std::move(encoded.media_type));
  image.set_data(std::move(encoded.data));
  image.set_image_hash(to_hex(blake2b(image.data(), 16)));
  return image;
}

}  // namespace da::observer
