#include "services/observer/sight.h"

#include "services/observer/wire.h"

namespace da::observer {
namespace {

constexpr Milliseconds kTreeTimeout{2000};
constexpr Milliseconds kElementTimeout{1000};
constexpr Milliseconds kTextTimeout{1000};

}  // namespace

std::unique_lock<std::mutex> Sight::look_for(Viewer viewer) {
  std::unique_lock lock(mutex_);
  viewer_ = std::move(viewer);
  return lock;
}

Result<void> Sight::refresh(const Wait& wait) {
  auto pulled = pull(wait);
  if (pulled || pulled.error().code != Code::kDataLoss) return pulled;
  return pull({});
}

Result<void> Sight::pull(const Wait& wait) {
  v1::FramesRequest request;
  request.set_observation_token(viewer_.observation_token);
  request.set_known_frame_id(store_.known_frame_id());
  request.set_quiet_ms(static_cast<std::uint32_t>(wait.quiet.count()));
  request.set_max_wait_ms(static_cast<std::uint32_t>(wait.longest.count()));
  request.set_idle_ms(static_cast<std::uint32_t>(wait.idle.count()));
  bool complete = false;
  auto streamed = source_.frames(request, [&](const v1::FrameChunk& chunk) -> Result<void> {
    if (complete) return Error{Code::kDataLoss, "frame from the actuator refused: it goes on after its end"};
    ASSIGN_OR_RETURN(const auto progress, store_.take(chunk));
    complete = progress == FrameStore::Progress::kComplete;
    return ok();
  });
  if (streamed && complete) return ok();
  store_.abandon();
  if (!streamed) return streamed;
  return Error{Code::kDataLoss, "frame from the actuator refused: it ended before its last tile"};
}

Result<v1::UiTree> Sight::read_ui_tree() {
  v1::UiTreeRequest request;
  request.set_task_id(viewer_.task_id);
  request.set_observation_token(viewer_.observation_token);
  request.set_timeout_ms(static_cast<std::uint32_t>(kTreeTimeout.count()));
  return source_.read_ui_tree(request);
}

Result<v1::UiNode> Sight::read_element(const std::string& element_id) {
  v1::ElementRequest request;
  request.set_task_id(viewer_.task_id);
  request.set_observation_token(viewer_.observation_token);
  request.set_element_id(element_id);
  request.set_timeout_ms(static_cast<std::uint32_t>(kElementTimeout.count()));
  return source_.read_element(request);
}

Result<std::vector<Rect>> Sight::text_places(const std::string& element_id, const std::vector<v1::TextRange>& ranges) {
  v1::TextPlacesRequest request;
  request.set_task_id(viewer_.task_id);
  request.set_observation_token(viewer_.observation_token);
  request.set_element_id(element_id);
  request.mutable_ranges()->Assign(ranges.begin(), ranges.end());
  request.set_timeout_ms(static_cast<std::uint32_t>(kTextTimeout.count()));
  ASSIGN_OR_RETURN(const auto reply, source_.read_text_places(request));
  std::vector<Rect> places;
  for (const v1::Rect& place : reply.places()) places.push_back(rect_from_wire(place));
  places.resize(ranges.size());
  return places;
}

std::vector<const v1::Window*> Sight::windows() const {
  std::vector<const v1::Window*> windows;
  for (const auto& window : store_.head().windows()) windows.push_back(&window);
  return windows;
}

const v1::Window* Sight::focused_window() const {
  for (const auto& window : store_.head().windows()) {
    if (window.focused()) return &window;
  }
  return nullptr;
}

}  // namespace da::observer
