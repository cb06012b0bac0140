#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_reader.h"

#include <algorithm>

namespace da::actuator::win32 {

using About = MsaaQuestion::About;

std::wstring MsaaReader::name(HWND window) {
  auto found = nodes(window, {.about = About::kName});
  return found.empty() ? std::wstring() : std::move(found.front().name);
}

Result<MsaaNode> MsaaReader::object(HWND window) {
  ASSIGN_OR_RETURN(auto found, ask(window, {.about = About::kObject}));
  if (found.empty()) return Error{Code::kInternal, "the object of the window cannot be read"};
  return std::move(found.front());
}

std::vector<MsaaNode> MsaaReader::descendants(HWND window, std::size_t limit) {
  return nodes(window, {.about = About::kDescendants, .most_nodes = limit});
}

std::vector<MsaaNode> MsaaReader::at_path(HWND window, const MsaaPath& path) {
  return nodes(window, {.about = About::kPath, .path = path, .most_nodes = path.size()});
}

std::vector<MsaaNode> MsaaReader::at_point(HWND window, Point point) {
  return nodes(window, {.about = About::kPoint, .point = point, .most_nodes = MsaaClient::kDeepest});
}

std::vector<MsaaNode> MsaaReader::at_focus(HWND window) {
  return nodes(window, {.about = About::kFocus, .most_nodes = MsaaClient::kDeepest});
}

std::vector<MsaaNode> MsaaReader::nodes(HWND window, MsaaQuestion question) {
  return ask(window, std::move(question)).value_or(std::vector<MsaaNode>());
}

Result<std::vector<MsaaNode>> MsaaReader::ask(HWND window, MsaaQuestion question) {
  if (worker_ == nullptr) return Error{Code::kUnimplemented, "MSAA is not used"};
  if (silent_) return Error{Code::kUnavailable, "the application has not answered before"};
  // Unlike AccessibleObjectFromWindow, this has a limit of time, and finds only objects of the application's own.
  const auto reference = question_.ask(window, WM_GETOBJECT, 0, static_cast<LPARAM>(static_cast<DWORD>(OBJID_CLIENT)));
  if (!reference) {
    if (question_.is_over()) truncate("the time was over");
    return Error{Code::kDeadlineExceeded, "the window does not answer"};
  }
  if (*reference == 0) return Error{Code::kNotFound, "the window has no object"};
  if (FAILED(static_cast<HRESULT>(*reference))) {
    truncate("some elements could not be read");
    return Error{Code::kInternal, "the window cannot offer its object"};
  }
  question.window = window;
  question.reference = *reference;
  question.deadline = std::min<MonoTime>(deadline_, clock_.now() + kLongest);
  auto answer =
      worker_->ask<MsaaAnswer>([question](MsaaClient& client) { return client.ask(question); }, question.deadline);
  if (!answer) {
    silent_ = answer.error().code != Code::kInternal;
    truncate(answer.error().message);
    return answer.error();
  }
  truncate(answer->truncated);
  return std::move(answer->nodes);
}

void MsaaReader::truncate(const std::string& why) {
  if (truncated_.empty()) truncated_ = why;
}

}  // namespace da::actuator::win32
