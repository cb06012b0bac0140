// The services that a task calls, as interfaces; the *_client_rpc files and the tests' fakes implement them.
// Every call blocks until the answer, the deadline, or a stop request (kCancelled).
// Errors: kUnavailable and kDeadlineExceeded mean that the service is lost; other codes are the service's answer.
// Any thread.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "da/v1/observer_rpc.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/rpc/channel.h"

namespace da::planner {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual Result<v1::Observation> observe(const v1::ObserveRequest& request, std::stop_token stop) = 0;
  virtual Result<v1::LocateReply> locate(const v1::LocateRequest& request, std::stop_token stop) = 0;
  // An image that a recent observation named; kNotFound after eviction.
  virtual Result<v1::ImageFact> read_image(const v1::ReadImageRequest& request, std::stop_token stop) = 0;
  virtual Result<v1::ImageFact> zoom(const v1::ZoomRequest& request, std::stop_token stop) = 0;
  virtual Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request, std::stop_token stop) = 0;
  virtual Result<v1::AnalyzeReply> analyze(const v1::AnalyzeRequest& request, std::stop_token stop) = 0;
};

class Policy {
 public:
  virtual ~Policy() = default;
  // Connects if not yet connected. kUnavailable: no connection, so nothing was sent.
  virtual Result<void> connect() { return ok(); }
  // Judges the step and, unless it is a dry run, has it carried out. May wait for a person, up to `timeout`.
  virtual Result<v1::SubmitReply> submit(const v1::SubmitRequest& request, Milliseconds timeout,
                                         std::stop_token stop) = 0;
  // Returns when the policy is halted, at the latest after max_wait.
  virtual Result<v1::AwaitHaltReply> await_halt(const std::string& task_token, Milliseconds max_wait,
                                                std::stop_token stop) = 0;
  // Returns when the policy is not paused, or the pause after max_wait.
  virtual Result<v1::AwaitResumeReply> await_resume(const std::string& task_token, Milliseconds max_wait,
                                                    std::stop_token stop) = 0;
  // Revokes the task's token.
  virtual Result<void> close_task(const v1::CloseTaskRequest& request) = 0;
};

// Implementations over gRPC.
std::unique_ptr<Observer> connect_observer(rpc::Channel channel);
std::unique_ptr<Policy> connect_policy(rpc::Channel channel);

}  // namespace da::planner
