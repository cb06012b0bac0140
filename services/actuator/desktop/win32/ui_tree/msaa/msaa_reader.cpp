#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_reader.h"

#include <algorithm>

namespace da::actuator::win32 {

using About = MsaaQuestion::About;

std::wstring MsaaReader::name(HWND window) {
  auto nodes = ask(window, {.about = About::kName});
  return nodes.empty() ? std::wstring() : std::move(nodes.front().name);
}

std::optional<MsaaNode> MsaaReader::object(HWND window) {
  auto nodes = ask(window, {.about = About::kObject});
  return nodes.empty() ? std::nullopt : std::optional(std::move(nodes.front()));
}

std::vector<MsaaNode> MsaaReader::descendants(HWND window, std::size_t limit) {
  return ask(window, {.about = About::kDescendants, .most_nodes = limit});
}

std::vector<MsaaNode> MsaaReader::at_path(HWND window, const MsaaPath& path) {
  return ask(window, {.about = About::kPath, .path = path, .most_nodes = path.size()});
}

std::vector<MsaaNode> MsaaReader::at_point(HWND window, Point point) {
  return ask(window, {.about = About::kPoint, .point = point, .most_nodes = MsaaClient::kDeepest});
}

std::vector<MsaaNode> MsaaReader::at_focus(HWND window) {
  return ask(window, {.about = About::kFocus, .most_nodes = MsaaClient::kDeepest});
}

std::vector<MsaaNode> MsaaReader::ask(HWND window, MsaaQuestion question) {
  if (worker_ == nullptr || silent_) return {};
  // Unlike AccessibleObjectFromWindow, this has a limit of time, and finds only objects of the application's own.
  const auto reference = question_.ask(window, WM_GETOBJECT, 0, static_cast<LPARAM>(static_cast<DWORD>(OBJID_CLIENT)));
  if (!reference || *reference == 0 || FAILED(static_cast<HRESULT>(*reference))) return {};
  question.window = window;
  question.reference = *reference;
  question.deadline = std::min<MonoTime>(deadline_, clock_.now() + kLongest);
  auto answer =
      worker_->ask<MsaaAnswer>([question](MsaaClient& client) { return client.ask(question); }, question.deadline);
  if (!answer) {
    silent_ = answer.error().code != Code::kInternal;
    if (truncated_.empty()) truncated_ = answer.error().message;
    return {};
  }
  if (truncated_.empty()) truncated_ = answer->truncated;
  return std::move(answer->nodes);
}

}  // namespace da::actuator::win32
