// Serves da.v1.Actuator on gRPC's threads.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "da/v1/actuator_rpc.grpc.pb.h"
#include "lib/rpc/call_watch.h"
#include "lib/rpc/unary_stream.h"
#include "services/actuator/executor.h"
#include "services/actuator/frames/change_waits.h"
#include "services/actuator/frames/frame_source.h"
#include "services/actuator/stopping/open_tasks.h"

namespace da::actuator {

class ActuatorRpc final : public v1::Actuator::Service {
 public:
  // Without an overlay, nobody is shown which tasks are open.
  ActuatorRpc(SharedDesktop& shared, Executor& executor, const identity::KnownPeers& peers, const Clock& clock,
              TaskOverlay* overlay = nullptr)
      : shared_(shared),
        executor_(executor),
        peers_(peers),
        clock_(clock),
        overlay_(overlay),
        open_tasks_(clock),
        change_waits_(shared.desktop.screen(), clock) {}

  grpc::Status Act(grpc::ServerContext* context, rpc::Listener<v1::ActRequest, v1::ActReply>* caller) override;
  grpc::Status Halt(grpc::ServerContext* context, const v1::ActuatorHaltRequest* request,
                    v1::ActuatorHaltReply* reply) override;
  grpc::Status Pause(grpc::ServerContext* context, const v1::ActuatorPauseRequest* request,
                     v1::ActuatorPauseReply* reply) override;
  grpc::Status Heartbeat(grpc::ServerContext* context, const v1::HeartbeatRequest* request,
                         v1::HeartbeatReply* reply) override;
  grpc::Status Resume(grpc::ServerContext* context, const v1::ActuatorResumeRequest* request,
                      v1::ActuatorResumeReply* reply) override;
  grpc::Status Frames(grpc::ServerContext* context, const v1::FramesRequest* request,
                      grpc::ServerWriter<v1::FrameChunk>* writer) override;
  grpc::Status AwaitChange(grpc::ServerContext* context, const v1::AwaitChangeRequest* request,
                           v1::AwaitChangeReply* reply) override;
  grpc::Status ReadUiTree(grpc::ServerContext* context, const v1::UiTreeRequest* request, v1::UiTree* reply) override;
  grpc::Status ReadElement(grpc::ServerContext* context, const v1::ElementRequest* request, v1::UiNode* reply) override;
  grpc::Status ReadTextPlaces(grpc::ServerContext* context, const v1::TextPlacesRequest* request,
                              v1::TextPlacesReply* reply) override;

 private:
  Result<v1::ActReply> act(const v1::ActRequest& request, const grpc::ServerContext& context);
  // Forgets the elements and the frame of closed tasks. False if it must be tried again, because the desktop is in use.
  bool forget_tasks();
  // Requires the desktop's lock.
  void enter_task(const std::string& task);
  // Also the windows as the desktop lists them.
  Result<std::vector<WindowInfo>> describe_windows(v1::FrameChunk::Head& head);
  Result<void> describe_desktop(v1::FrameChunk::Head& head);
  Result<std::vector<v1::FrameChunk>> capture_frame(const v1::FramesRequest& request);
  // The caller's frame shows the present screen. Requires both locks.
  Result<bool> is_current(const std::string& frame_id, const Layout& layout);
  Result<v1::AwaitChangeReply> await_change(const v1::AwaitChangeRequest& request, const std::stop_token& stop);
  Result<bool> has_changed(const v1::AwaitChangeRequest& request, const std::vector<Rect>& areas,
                           ChangeWaits::Look look);
  Result<v1::UiTree> read_ui_tree(const v1::UiTreeRequest& request);
  Result<v1::UiNode> read_element(const v1::ElementRequest& request);
  Result<v1::TextPlacesReply> read_text_places(const v1::TextPlacesRequest& request);

  SharedDesktop& shared_;
  Executor& executor_;
  const identity::KnownPeers& peers_;
  const Clock& clock_;
  TaskOverlay* const overlay_;
  OpenTasks open_tasks_;
  std::mutex frames_mutex_;
  FrameSource frames_;
  ChangeWaits change_waits_;
  std::atomic<bool> forgotten_ = true;  // Nothing of a task is kept.
  std::atomic<int> frames_under_way_ = 0;
  rpc::CallWatch watch_;
};

}  // namespace da::actuator
