#include "services/observer/frames/frame_cache.h"

#include "services/observer/frames/wire.h"

namespace da::observer {
namespace {

constexpr Milliseconds kTreeTimeout{2000};
constexpr Milliseconds kElementTimeout{1000};
constexpr Milliseconds kTextTimeout{1000};

template <typename Request>
Request request_for(const Viewer& viewer, Milliseconds timeout) {
  Request request;
  request.set_task_id(viewer.task_id);
  request.set_observation_token(viewer.observation_token);
  request.set_timeout_ms(static_cast<std::uint32_t>(timeout.count()));
  return request;
}

}  // namespace

std::unique_lock<std::mutex> FrameCache::look_for(Viewer viewer) {
  std::unique_lock lock(mutex_);
  viewer_ = std::move(viewer);
  return lock;
}

Result<void> FrameCache::refresh(const Wait& wait) {
  auto pulled = pull(wait);
  if (pulled || pulled.error().code != Code::kDataLoss) return pulled;
  return pull({});
}

Result<void> FrameCache::pull(const Wait& wait) {
  v1::FramesRequest request;
  request.set_observation_token(viewer_.observation_token);
  request.set_known_frame_id(store_.known_frame_id());
  request.set_quiet_ms(static_cast<std::uint32_t>(wait.quiet.count()));
  request.set_max_wait_ms(static_cast<std::uint32_t>(wait.longest.count()));
  request.set_idle_ms(static_cast<std::uint32_t>(wait.idle.count()));
  bool complete = false;
  auto streamed = source_.frames(request, [&](const v1::FrameChunk& chunk) -> Result<void> {
    if (complete) return refused_frame("it continues after its last chunk");
    ASSIGN_OR_RETURN(const auto progress, store_.take(chunk));
    complete = progress == FrameStore::Progress::kComplete;
    return ok();
  });
  if (streamed && complete) return ok();
  store_.abandon();
  if (!streamed) return streamed;
  return refused_frame("it ended before its last chunk");
}

Result<v1::UiTree> FrameCache::read_ui_tree() {
  return source_.read_ui_tree(request_for<v1::UiTreeRequest>(viewer_, kTreeTimeout));
}

Result<v1::UiNode> FrameCache::read_element(const std::string& element_id) {
  auto request = request_for<v1::ElementRequest>(viewer_, kElementTimeout);
  request.set_element_id(element_id);
  return source_.read_element(request);
}

Result<std::vector<Rect>> FrameCache::text_places(const std::string& element_id,
                                                  const std::vector<v1::TextRange>& ranges) {
  auto request = request_for<v1::TextPlacesRequest>(viewer_, kTextTimeout);
  request.set_element_id(element_id);
  request.mutable_ranges()->Assign(ranges.begin(), ranges.end());
  ASSIGN_OR_RETURN(const auto reply, source_.read_text_places(request));
  std::vector<Rect> places;
  for (const v1::Rect& place : reply.places()) places.push_back(rect_from_wire(place));
  places.resize(ranges.size());
  return places;
}

std::vector<const v1::Window*> FrameCache::windows() const {
  std::vector<const v1::Window*> windows;
  for (const auto& window : store_.head().windows()) windows.push_back(&window);
  return windows;
}

std::vector<const v1::ClickArea*> FrameCache::click_areas() const {
  std::vector<const v1::ClickArea*> areas;
  for (const auto& area : store_.head().click_areas()) areas.push_back(&area);
  return areas;
}

const v1::Window* FrameCache::focused_window() const {
  for (const auto& window : store_.head().windows()) {
    if (window.focused()) return &window;
  }
  return nullptr;
}

}  // namespace da::observer
