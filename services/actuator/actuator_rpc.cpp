#include "services/actuator/actuator_rpc.h"

#include <algorithm>
#include <memory>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/rpc/status.h"
#include "services/actuator/desktop_proto.h"
#include "services/actuator/target/target_evidence.h"

namespace da::actuator {
namespace {

// Steps wait while a UI tree is read.
constexpr Milliseconds kLongestTreeTimeout{3000};
constexpr Milliseconds kLongestQuietWait{60'000};
constexpr int kMaxTextRanges = 64;
constexpr Milliseconds kLongestChangeWait{30'000};
constexpr int kMaxAwaitedAreas = 512;
// A running action asks gRPC this often whether its caller has cancelled, because gRPC polls its sockets to answer.
constexpr Milliseconds kCancelCheckInterval{10};
constexpr Milliseconds kMaxElementAge{1000};

// Each frame stays in memory until its reader has received it.
constexpr int kMaxFramesUnderWay = 16;
constexpr Milliseconds kLongestSending{20'000};

class Counted {
 public:
  explicit Counted(std::atomic<int>& counter) : counter_(counter), count_(++counter) {}
  ~Counted() { --counter_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int count() const { return count_; }

 private:
  std::atomic<int>& counter_;
  const int count_;
};

// What a frame shows can be told from reports of drawing.
bool reports_changes(std::uint64_t generation, const std::vector<MaskedArea>& masked) {
  return generation != 0 && masked.empty();
}

// Never empty.
std::string digest_of(const google::protobuf::RepeatedPtrField<v1::Window>& windows) {
  std::string all = "windows";
  for (const v1::Window& window : windows) {
    v1::Window place;
    place.set_window_id(window.window_id());
    place.set_title(window.title());
    *place.mutable_bounds() = window.bounds();
    place.set_minimized(window.minimized());
    const std::string bytes = place.SerializeAsString();
    all += std::to_string(bytes.size()) + ":" + bytes;
  }
  return to_hex(blake2b(all, 16));
}

Milliseconds tree_timeout(std::uint32_t asked_ms) {
  return asked_ms == 0 ? kLongestTreeTimeout : std::min(Milliseconds(asked_ms), kLongestTreeTimeout);
}

// Toolkits also report a focused element in a window without the focus: the element that had it last.
Result<void> drop_remembered_focus(Desktop& desktop, std::span<Element> elements) {
  const auto is_focused = [](const Element& each) { return each.has(ElementState::kFocused); };
  if (std::ranges::none_of(elements, is_focused)) return ok();
  ASSIGN_OR_RETURN(const auto active, desktop.windows().foreground());
  if (!active) return ok();
  for (Element& element : elements) {
    const bool elsewhere = !element.window_id.empty() && element.window_id != active->id;
    if (elsewhere) std::erase(element.states, ElementState::kFocused);
  }
  return ok();
}

}  // namespace

grpc::Status ActuatorRpc::Act(grpc::ServerContext* context, rpc::Listener<v1::ActRequest, v1::ActReply>* caller) {
  return rpc::serve_unary_stream(
      peers_, *caller, [&](const auto& request) { return act(request, *context); },
      [&] { return std::make_unique<UnansweredCalls::Call>(executor_.unanswered()); });
}

Result<v1::ActReply> ActuatorRpc::act(const v1::ActRequest& request, const grpc::ServerContext& context) {
  v1::ActReply reply;
  switch (request.request_case()) {
    case v1::ActRequest::kPrepare: {
      const std::lock_guard frames_lock(frames_mutex_);
      const SeenLook seen = [&](const Rect& area) { return frames_.look(request.prepare().frame_id(), area); };
      ASSIGN_OR_RETURN(auto sealed, executor_.prepare(request.prepare(), seen));
      reply.set_evidence(std::move(sealed.bytes));
      return reply;
    }
    case v1::ActRequest::kExecute: {
      const auto cancelled = [this, &context, next = clock_.now() + kCancelCheckInterval]() mutable {
        const MonoTime now = clock_.now();
        if (now < next) return false;
        next = now + kCancelCheckInterval;
        return context.IsCancelled();
      };
      *reply.mutable_outcome() = executor_.execute(request.execute(), cancelled);
      return reply;
    }
    case v1::ActRequest::REQUEST_NOT_SET: break;
  }
  return Error{Code::kInvalidArgument, "ActRequest has neither `prepare` nor `execute`"};
}

grpc::Status ActuatorRpc::Halt(grpc::ServerContext*, const v1::ActuatorHaltRequest* request, v1::ActuatorHaltReply*) {
  executor_.halt(escape_foreign(request->reason()));
  return grpc::Status::OK;
}

grpc::Status ActuatorRpc::Pause(grpc::ServerContext*, const v1::ActuatorPauseRequest* request,
                                v1::ActuatorPauseReply*) {
  executor_.pause(v1::Pause::CAUSE_CONSOLE, escape_foreign(request->reason()));
  return grpc::Status::OK;
}

grpc::Status ActuatorRpc::Heartbeat(grpc::ServerContext*, const v1::HeartbeatRequest* request,
                                    v1::HeartbeatReply* reply) {
  open_tasks_.hear(*request);
  if (overlay_ != nullptr) overlay_->hear(*request);
  *reply = executor_.heartbeat();
  if (!request->open_tasks().empty()) {
    forgotten_ = false;
  } else if (!forgotten_) {
    forgotten_ = forget_tasks();
  }
  return grpc::Status::OK;
}

// Waits for no lock: the policy expects an answer at once.
bool ActuatorRpc::forget_tasks() {
  const std::unique_lock frames_lock(frames_mutex_, std::try_to_lock);
  if (!frames_lock) return false;
  frames_.forget();
  const std::unique_lock lock(shared_.mutex, std::try_to_lock);
  if (!lock) return false;
  shared_.elements.forget_all();
  // The fields with a secret stay masked, and are found by their handles.
  if (shared_.mask.fields().empty()) shared_.desktop.ui_tree().forget_all();
  return true;
}

grpc::Status ActuatorRpc::Resume(grpc::ServerContext*, const v1::ActuatorResumeRequest*, v1::ActuatorResumeReply*) {
  const auto resumed = executor_.resume();
  return resumed ? grpc::Status::OK : rpc::to_status(resumed.error());
}

// Holds no lock while it sends the frame, so that a slow reader delays no other call.
grpc::Status ActuatorRpc::Frames(grpc::ServerContext* context, const v1::FramesRequest* request,
                                 grpc::ServerWriter<v1::FrameChunk>* writer) {
  const Counted under_way(frames_under_way_);
  if (under_way.count() > kMaxFramesUnderWay)
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many frames are being sent (at most 16): retry later"};
  const auto chunks = capture_frame(*request);
  if (!chunks) return rpc::to_status(chunks.error());
  const rpc::CallWatch::Scope limit(watch_, *context, kLongestSending);
  for (const v1::FrameChunk& chunk : *chunks)
    if (!writer->Write(chunk)) return {grpc::StatusCode::CANCELLED, "the reader of the frame disconnected"};
  return grpc::Status::OK;
}

// Requires shared_.mutex.
void ActuatorRpc::enter_task(const std::string& task) {
  shared_.elements.forget_closed([this](const std::string& id) { return open_tasks_.is_open(id); });
  shared_.elements.enter_task(task);
}

Result<std::vector<WindowInfo>> ActuatorRpc::describe_windows(v1::FrameChunk::Head& head) {
  ASSIGN_OR_RETURN(std::vector<WindowInfo> windows, shared_.desktop.windows().list());
  const std::uint32_t starter = starter_of_run(windows, shared_.desktop.windows().ancestors());
  for (WindowInfo window : windows) {
    shared_.mask.hide(window);
    *head.add_windows() = to_proto(window);
    head.mutable_windows()->rbegin()->set_started_run(starter != 0 && window.pid == starter);
  }
  head.set_windows_digest(digest_of(head.windows()));
  return windows;
}

Result<void> ActuatorRpc::describe_desktop(v1::FrameChunk::Head& head) {
  ASSIGN_OR_RETURN(const std::vector<WindowInfo> windows, describe_windows(head));
  ASSIGN_OR_RETURN(auto areas, shared_.desktop.state().click_areas(windows));
  for (ClickArea& area : areas) {
    shared_.mask.hide(area.window);
    *head.add_click_areas() = to_proto(area);
  }
  ASSIGN_OR_RETURN(const bool managed, shared_.desktop.state().manages_focus());
  head.set_focus_unmanaged(!managed);
  for (LaunchedProgram& program : shared_.desktop.applications().launched()) {
    shared_.mask.hide(program.last_line);
    *head.add_launched() = to_proto(program, windows);
  }
  ASSIGN_OR_RETURN(const Point cursor, shared_.desktop.screen().cursor());
  *head.mutable_cursor() = contract::to_proto(cursor);
  ASSIGN_OR_RETURN(const CursorShape shape, shared_.desktop.screen().cursor_shape());
  head.set_cursor_shape(to_proto(shape));
  return ok();
}

Result<std::vector<v1::FrameChunk>> ActuatorRpc::capture_frame(const v1::FramesRequest& request) {
  RETURN_IF_ERROR(open_tasks_.await(request.observation_token(), {}));
  v1::FrameChunk::Head head;
  const auto wait = std::min(Milliseconds(request.max_wait_ms()), kLongestQuietWait);
  const Rest rest(Milliseconds(request.quiet_ms()), Milliseconds(request.idle_ms()));
  ASSIGN_OR_RETURN(const Quiet quiet, shared_.desktop.screen().wait_quiet(rest, clock_.now() + wait));
  head.set_settled(quiet == Quiet::kSettled);
  RETURN_IF_ERROR(open_tasks_.find(request.observation_token(), {}));  // The task may have ended during the wait.

  const std::lock_guard frames_lock(frames_mutex_);
  const std::lock_guard lock(shared_.mutex);
  ASSIGN_OR_RETURN(const Layout layout, shared_.desktop.screen().layout());
  for (const MonitorInfo& monitor : layout.monitors) *head.add_monitors() = to_proto(monitor);
  ASSIGN_OR_RETURN(const bool current, is_current(request.known_frame_id(), layout));
  if (current) {
    RETURN_IF_ERROR(describe_desktop(head));
    head.set_changes_reported(true);
    return std::vector<v1::FrameChunk>{frames_.emit_unchanged(std::move(head))};
  }
  ASSIGN_OR_RETURN(MaskedView captured, shared_.mask.capture(shared_.desktop, std::nullopt, clock_));
  ASSIGN_OR_RETURN(const auto changed, shared_.desktop.screen().changed_since(frames_.generation()));
  if (executor_.hide_reason()) {
    captured.masked = {MaskedArea{layout.desktop}};
  } else {
    RETURN_IF_ERROR(describe_desktop(head));
  }
  head.set_changes_reported(reports_changes(captured.view.generation, captured.masked));
  std::vector<v1::FrameChunk> chunks;
  RETURN_IF_ERROR(frames_.emit(captured.view, captured.masked, changed, request.known_frame_id(), std::move(head),
                               [&](v1::FrameChunk& chunk) {
                                 chunks.push_back(std::move(chunk));
                                 return ok();
                               }));
  return chunks;
}

Result<bool> ActuatorRpc::is_current(const std::string& frame_id, const Layout& layout) {
  if (frame_id.empty() || frame_id != frames_.frame_id() || layout.desktop != frames_.area()) return false;
  if (!reports_changes(frames_.generation(), frames_.masked()) || !shared_.mask.masks_nothing()) return false;
  if (executor_.hide_reason()) return false;
  ASSIGN_OR_RETURN(const auto changed, shared_.desktop.screen().changed_since(frames_.generation()));
  return changed && changed->empty();
}

grpc::Status ActuatorRpc::AwaitChange(grpc::ServerContext* context, const v1::AwaitChangeRequest* request,
                                      v1::AwaitChangeReply* reply) {
  const rpc::CallWatch::Scope scope(watch_, *context);
  return rpc::answer(await_change(*request, scope.token()), reply);
}

Result<v1::AwaitChangeReply> ActuatorRpc::await_change(const v1::AwaitChangeRequest& request,
                                                       const std::stop_token& stop) {
  RETURN_IF_ERROR(open_tasks_.await(request.observation_token(), {}));
  if (request.areas_size() > kMaxAwaitedAreas) {
    return Error{Code::kInvalidArgument, "too many areas: " + std::to_string(request.areas_size()) + " (at most " +
                                             std::to_string(kMaxAwaitedAreas) + ")"};
  }
  ChangeWaits::Wait wait;
  for (const v1::Rect& area : request.areas()) wait.areas.push_back(contract::from_proto(area));
  wait.windows = !request.known_windows().empty();
  wait.deadline = clock_.now() + std::min(Milliseconds(request.max_wait_ms()), kLongestChangeWait);
  wait.stop = stop;
  ASSIGN_OR_RETURN(const bool changed, change_waits_.wait(wait, [&](ChangeWaits::Look look) {
    return has_changed(request, wait.areas, look);
  }));
  RETURN_IF_ERROR(open_tasks_.find(request.observation_token(), {}));  // The task may have ended during the wait.
  v1::AwaitChangeReply reply;
  reply.set_changed(changed);
  return reply;
}

Result<bool> ActuatorRpc::has_changed(const v1::AwaitChangeRequest& request, const std::vector<Rect>& areas,
                                      ChangeWaits::Look look) {
  const std::lock_guard frames_lock(frames_mutex_);
  const std::lock_guard lock(shared_.mutex);
  if (request.known_frame_id() != frames_.frame_id()) return true;
  if (look != ChangeWaits::Look::kLater) {
    ASSIGN_OR_RETURN(const Layout layout, shared_.desktop.screen().layout());
    if (layout.desktop != frames_.area()) return true;
  }
  // Pixels can differ without a report: under a mask, or on a desktop that does not report all drawing.
  const bool reported = reports_changes(frames_.generation(), frames_.masked()) && shared_.mask.masks_nothing() &&
                        !executor_.hide_reason();
  if (!reported && look == ChangeWaits::Look::kLast) return true;
  if (reported) {
    ASSIGN_OR_RETURN(const auto changed, shared_.desktop.screen().changed_since(frames_.generation()));
    if (!changed) return true;
    for (const Rect& each : *changed) {
      if (std::ranges::any_of(areas, [&](const Rect& area) { return !intersection(each, area).empty(); })) return true;
    }
  }
  if (request.known_windows().empty()) return false;
  v1::FrameChunk::Head now;
  if (!executor_.hide_reason()) RETURN_IF_ERROR(describe_windows(now));
  return now.windows_digest() != request.known_windows();
}

grpc::Status ActuatorRpc::ReadUiTree(grpc::ServerContext*, const v1::UiTreeRequest* request, v1::UiTree* reply) {
  return rpc::answer(read_ui_tree(*request), reply);
}

Result<v1::UiTree> ActuatorRpc::read_ui_tree(const v1::UiTreeRequest& request) {
  ASSIGN_OR_RETURN(const std::string task, open_tasks_.await(request.observation_token(), request.task_id()));
  const TreeLimits limits{.deadline = clock_.now() + tree_timeout(request.timeout_ms()), .max_age = kMaxElementAge};
  const std::lock_guard lock(shared_.mutex);
  enter_task(task);
  v1::UiTree message;
  if (const auto why = executor_.hide_reason()) {
    message.set_note(*why);
    return message;
  }
  std::optional<WindowInfo> only;
  if (!request.window_id().empty()) {
    ASSIGN_OR_RETURN(const std::vector<WindowInfo> windows, shared_.desktop.windows().list());
    const auto found = std::ranges::find(windows, request.window_id(), &WindowInfo::id);
    if (found == windows.end()) return Error{Code::kNotFound, "read the UI tree: the window is gone"};
    only = *found;
  }
  ASSIGN_OR_RETURN(ElementTree tree, shared_.desktop.ui_tree().read(only, limits));
  RETURN_IF_ERROR(drop_remembered_focus(shared_.desktop, tree.elements));
  ASSIGN_OR_RETURN(const Masked masked, shared_.mask.locate(shared_.desktop, clock_));
  for (Element& element : tree.elements) {
    shared_.mask.hide(element, masked);
    *message.add_nodes() = to_proto(element, shared_.elements);
  }
  message.set_truncated(tree.truncated);
  message.set_opening(tree.opening);
  if (!tree.note.empty()) {
    ASSIGN_OR_RETURN(std::vector<WindowInfo> windows, shared_.desktop.windows().list());
    for (WindowInfo& window : windows) shared_.mask.hide(window);
    shared_.mask.hide_titles(tree.note, windows);
    message.set_note(tree.note);
  }
  message.mutable_awaited()->Assign(tree.awaited.begin(), tree.awaited.end());
  return message;
}

grpc::Status ActuatorRpc::ReadElement(grpc::ServerContext*, const v1::ElementRequest* request, v1::UiNode* reply) {
  return rpc::answer(read_element(*request), reply);
}

Result<v1::UiNode> ActuatorRpc::read_element(const v1::ElementRequest& request) {
  ASSIGN_OR_RETURN(const std::string task, open_tasks_.await(request.observation_token(), request.task_id()));
  const TreeLimits limits{.deadline = clock_.now() + tree_timeout(request.timeout_ms()), .max_age = kMaxElementAge};
  const std::lock_guard lock(shared_.mutex);
  enter_task(task);
  if (const auto why = executor_.hide_reason()) return Error{Code::kFailedPrecondition, *why};
  const auto handle = shared_.elements.find(request.element_id());
  if (!handle) return Error{Code::kNotFound, "read an element: this task has no element with the id: observe again"};
  ASSIGN_OR_RETURN(Element element, shared_.desktop.ui_tree().recall(*handle, limits));
  RETURN_IF_ERROR(drop_remembered_focus(shared_.desktop, std::span(&element, 1)));
  ASSIGN_OR_RETURN(const Masked masked, shared_.mask.locate(shared_.desktop, clock_));
  shared_.mask.hide(element, masked);
  return to_proto(element, shared_.elements);
}

grpc::Status ActuatorRpc::ReadTextPlaces(grpc::ServerContext*, const v1::TextPlacesRequest* request,
                                         v1::TextPlacesReply* reply) {
  return rpc::answer(read_text_places(*request), reply);
}

Result<v1::TextPlacesReply> ActuatorRpc::read_text_places(const v1::TextPlacesRequest& request) {
  ASSIGN_OR_RETURN(const std::string task, open_tasks_.await(request.observation_token(), request.task_id()));
  if (request.ranges_size() > kMaxTextRanges) {
    return Error{Code::kInvalidArgument, "too many text ranges: " + std::to_string(request.ranges_size()) +
                                             " (at most " + std::to_string(kMaxTextRanges) + ")"};
  }
  std::vector<TextRange> ranges;
  for (const v1::TextRange& range : request.ranges()) ranges.push_back({range.first(), range.count()});
  const MonoTime deadline = clock_.now() + tree_timeout(request.timeout_ms());
  const std::lock_guard lock(shared_.mutex);
  enter_task(task);
  if (const auto why = executor_.hide_reason()) return Error{Code::kFailedPrecondition, *why};
  const auto handle = shared_.elements.find(request.element_id());
  if (!handle) return Error{Code::kNotFound, "read text places: this task has no element with the id: observe again"};
  ASSIGN_OR_RETURN(Element element, shared_.desktop.ui_tree().refresh(*handle, deadline));
  ASSIGN_OR_RETURN(const Masked masked, shared_.mask.locate(shared_.desktop, clock_));
  shared_.mask.hide_text(element, masked);
  if (element.text.empty()) return Error{Code::kUnimplemented, "read text places: the element exposes no text"};
  ASSIGN_OR_RETURN(const auto places, shared_.desktop.ui_tree().text_places(*handle, ranges, deadline));
  v1::TextPlacesReply reply;
  for (const Rect& place : places) *reply.add_places() = contract::to_proto(place);
  return reply;
}

}  // namespace da::actuator
