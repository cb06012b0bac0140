#include "services/console/report/task_story.h"

#include "lib/recording/reading/recording_reader.h"

namespace da::console {

void ApprovalCounts::add(const v1::ApprovalDecision& decision) {
  switch (decision.answer()) {
    case v1::ApprovalDecision::ANSWER_APPROVED: ++approved; break;
    case v1::ApprovalDecision::ANSWER_EXPIRED: ++expired; break;
    case v1::ApprovalDecision::ANSWER_WITHDRAWN: ++withdrawn; break;
    case v1::ApprovalDecision::ANSWER_EDITED: ++edited; break;
    default: ++denied; break;
  }
}

std::string TaskStory::task_id() const { return recording::RecordingReader::value(about, "task"); }

std::string TaskStory::goal() const { return recording::RecordingReader::value(about, "goal"); }

}  // namespace da::console
