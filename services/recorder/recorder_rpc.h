// Answers the recorder's calls. Any thread.
#pragma once

#include "da/v1/recorder_rpc.grpc.pb.h"
#include "services/recorder/recordings.h"

namespace da::recorder {

class RecorderRpc final : public v1::Recorder::Service {
 public:
  explicit RecorderRpc(const Recordings& recordings) : recordings_(recordings) {}

  grpc::Status FindRecording(grpc::ServerContext* context, const v1::FindRecordingRequest* request,
                             v1::FindRecordingReply* reply) override;

 private:
  const Recordings& recordings_;
};

}  // namespace da::recorder
