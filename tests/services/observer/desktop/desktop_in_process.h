// Connects the observer to a real X11 desktop in one process, without the actuator and gRPC.
#pragma once

#include "lib/contract/coordinates.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop_proto.h"
#include "services/actuator/frames/frame_source.h"
#include "services/observer/frames/desktop_source.h"

namespace da::observer {

class DesktopInProcess final : public DesktopSource {
 public:
  explicit DesktopInProcess(actuator::Desktop& desktop) : desktop_(desktop) {}

  Result<void> frames(const v1::FramesRequest& request, const TakeChunk& take) override {
    const MonoTime deadline = system_clock().now() + Milliseconds(request.max_wait_ms());
    ASSIGN_OR_RETURN(const auto quiet,
                     desktop_.screen().wait_quiet(
                         actuator::Rest(Milliseconds(request.quiet_ms()), Milliseconds(request.idle_ms())), deadline));
    ASSIGN_OR_RETURN(const auto windows, desktop_.windows().list());
    ASSIGN_OR_RETURN(const Point cursor, desktop_.screen().cursor());
    ASSIGN_OR_RETURN(const auto view, desktop_.screen().capture());
    ASSIGN_OR_RETURN(const auto changed, desktop_.screen().changed_since(frames_.generation()));
    v1::FrameChunk::Head head;
    head.set_settled(quiet == actuator::Quiet::kSettled);
    for (const auto& window : windows) *head.add_windows() = actuator::to_proto(window);
    *head.mutable_cursor() = contract::to_proto(cursor);
    return frames_.emit(view, {}, changed, request.known_frame_id(), std::move(head),
                        [&](v1::FrameChunk& chunk) { return take(chunk); });
  }

  Result<v1::UiTree> read_ui_tree(const v1::UiTreeRequest& request) override {
    elements_.enter_task(request.task_id());
    const MonoTime deadline = system_clock().now() + Milliseconds(request.timeout_ms());
    ASSIGN_OR_RETURN(const auto tree, desktop_.ui_tree().read(std::nullopt, {.deadline = deadline}));
    v1::UiTree message;
    for (const auto& element : tree.elements) *message.add_nodes() = actuator::to_proto(element, elements_);
    return message;
  }

  Result<v1::UiNode> read_element(const v1::ElementRequest& request) override {
    const auto handle = elements_.find(request.element_id());
    if (!handle) return Error{Code::kNotFound, "the element is not known"};
    const MonoTime deadline = system_clock().now() + Milliseconds(request.timeout_ms());
    ASSIGN_OR_RETURN(const auto element, desktop_.ui_tree().refresh(*handle, deadline));
    return actuator::to_proto(element, elements_);
  }

  Result<v1::TextPlacesReply> read_text_places(const v1::TextPlacesRequest&) override {
    return Error{Code::kUnimplemented, "no element of this desktop tells where its text is"};
  }

  Result<v1::AwaitChangeReply> await_change(const v1::AwaitChangeRequest&, const std::stop_token&) override {
    return Error{Code::kUnimplemented, "only the actuator waits for changes"};
  }

 private:
  actuator::Desktop& desktop_;
  actuator::FrameSource frames_;
  actuator::ElementRegistry elements_;
};

}  // namespace da::observer
