// The observer as the console gives it to `profile explain`: each request goes through a pipe, and the console, which
// may look at the desktop, answers. One thread at a time. The descriptors must stay open.
#pragma once

#include "da/v1/history.pb.h"
#include "services/planner/roles.h"

namespace da::planner::rules {

// A request or an answer; templates make requests large.
inline constexpr std::size_t kMaxMessageBytes = 16 << 20;

// Messages are v1::ObserverAnswer: with the request, then with its reply or error. Only analyze and locate can be
// asked; the others are kUnimplemented. kUnavailable: the console has gone.
class AskedObserver final : public Observer {
 public:
  AskedObserver(int requests, int answers) : requests_(requests), answers_(answers) {}

  Result<v1::LocateReply> locate(const v1::LocateRequest& request, std::stop_token stop) override;
  Result<v1::AnalyzeReply> analyze(const v1::AnalyzeRequest& request, std::stop_token stop) override;
  Result<v1::Observation> observe(const v1::ObserveRequest& request, std::stop_token stop) override;
  Result<v1::ImageFact> read_image(const v1::ReadImageRequest& request, std::stop_token stop) override;
  Result<v1::ImageFact> zoom(const v1::ZoomRequest& request, std::stop_token stop) override;
  Result<v1::UiTree> read_ui(const v1::ReadUiRequest& request, std::stop_token stop) override;

 private:
  Result<v1::ObserverAnswer> ask(const v1::ObserverAnswer& question);

  const int requests_;
  const int answers_;
};

}  // namespace da::planner::rules
