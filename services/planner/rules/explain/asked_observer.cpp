#include "services/planner/rules/explain/asked_observer.h"

#include "lib/os/process/pipe.h"

namespace da::planner::rules {
namespace {

Error not_asked() { return {Code::kUnimplemented, "`profile explain` asks only about regions and elements"}; }

}  // namespace

Result<v1::ObserverAnswer> AskedObserver::ask(const v1::ObserverAnswer& question) {
  RETURN_IF_ERROR(os::write_message(requests_, question.SerializeAsString()));
  ASSIGN_OR_RETURN(const auto bytes, os::read_message(answers_, kMaxMessageBytes));
  if (!bytes) return Error{Code::kUnavailable, "the desktop cannot be looked at any more"};
  v1::ObserverAnswer answer;
  if (!answer.ParseFromString(*bytes)) return Error{Code::kInternal, "the answer about the desktop cannot be read"};
  if (!answer.error().empty()) return Error{Code::kFailedPrecondition, answer.error()};
  return answer;
}

Result<v1::LocateReply> AskedObserver::locate(const v1::LocateRequest& request, std::stop_token) {
  v1::ObserverAnswer question;
  *question.mutable_locate() = request;
  ASSIGN_OR_RETURN(auto answer, ask(question));
  return std::move(*answer.mutable_located());
}

Result<v1::AnalyzeReply> AskedObserver::analyze(const v1::AnalyzeRequest& request, std::stop_token) {
  v1::ObserverAnswer question;
  *question.mutable_analyze() = request;
  ASSIGN_OR_RETURN(auto answer, ask(question));
  return std::move(*answer.mutable_analysis());
}

Result<v1::Observation> AskedObserver::observe(const v1::ObserveRequest&, std::stop_token) { return not_asked(); }
Result<v1::ImageFact> AskedObserver::read_image(const v1::ReadImageRequest&, std::stop_token) { return not_asked(); }
Result<v1::ImageFact> AskedObserver::zoom(const v1::ZoomRequest&, std::stop_token) { return not_asked(); }
Result<v1::UiTree> AskedObserver::read_ui(const v1::ReadUiRequest&, std::stop_token) { return not_asked(); }

}  // namespace da::planner::rules
