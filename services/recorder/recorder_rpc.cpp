#include "services/recorder/recorder_rpc.h"

#include <algorithm>

#include "lib/rpc/status.h"

namespace da::recorder {
namespace {

constexpr Milliseconds kLongestWait{10'000};

}  // namespace

grpc::Status RecorderRpc::FindRecording(grpc::ServerContext*, const v1::FindRecordingRequest* request,
                                        v1::FindRecordingReply* reply) {
  const auto max_wait = std::min(Milliseconds(request->max_wait_ms()), kLongestWait);
  return rpc::answer(recordings_.find(request->task_id(), max_wait), reply);
}

}  // namespace da::recorder
