// What a task needs of other services, as roles; the *_client_rpc files and the fakes of the tests implement them.
// Every call blocks until it is answered, its deadline is over, or the Canceller cancels it (kCancelled).
// Errors: kUnavailable and kDeadlineExceeded mean that the service is lost; other codes are the service's answer.
// Any thread.
#pragma once

#include "da/v1/observer_rpc.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/rpc/cancel.h"

namespace da::planner {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual Result<v1::Observation> observe(const v1::ObserveRequest& request, rpc::Canceller& canceller) = 0;
  virtual Result<v1::LocateReply> locate(const v1::LocateRequest& request, rpc::Canceller& canceller) = 0;
  // One of the last images that observations named. kNotFound.
  virtual Result<v1::ImageFact> read_image(const v1::ReadImageRequest& request, rpc::Canceller& canceller) = 0;
  virtual Result<v1::ImageFact> zoom(const v1::ZoomRequest& request, rpc::Canceller& canceller) = 0;
  virtual Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request, rpc::Canceller& canceller) = 0;
};

class Policy {
 public:
  virtual ~Policy() = default;
  // Connects where that has not been done yet. kUnavailable: there is no connection, so that nothing can have been
  // sent.
  virtual Result<void> connect() { return ok(); }
  // Judges the step and, unless it is a dry run, has it carried out. May wait for a person, so the caller says for how
  // long.
  virtual Result<v1::SubmitReply> submit(const v1::SubmitRequest& request, Milliseconds timeout,
                                         rpc::Canceller& canceller) = 0;
  // Answers as soon as the policy is halted, or after max_wait.
  virtual Result<v1::AwaitHaltReply> await_halt(const std::string& task_token, Milliseconds max_wait,
                                                rpc::Canceller& canceller) = 0;
  // Answers as soon as the policy is not paused, or with the pause after max_wait.
  virtual Result<v1::AwaitResumeReply> await_resume(const std::string& task_token, Milliseconds max_wait,
                                                    rpc::Canceller& canceller) = 0;
  // Gives up the authority of the task.
  virtual Result<void> close_task(const v1::CloseTaskRequest& request) = 0;
};

}  // namespace da::planner
