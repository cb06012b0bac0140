#include "services/actuator/desktop/win32/ui_tree/element_ids.h"

#include <charconv>

#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_client.h"
#include "services/actuator/desktop/win32/windows/window_facts.h"

namespace da::actuator::win32 {
namespace {

// Takes the next number of "1:2:3"; false when there is none.
template <class T>
bool take(std::string_view& text, T& number, char separator = ':') {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  if (!text.empty() && text.front() != separator) return false;
  if (!text.empty()) text.remove_prefix(1);
  return true;
}

// The positions of "0.12.3".
std::optional<std::vector<int>> path_of(std::string_view text) {
  std::vector<int> path;
  while (!text.empty()) {
    int position = 0;
    const bool taken = take(text, position, '.');
    if (!taken || position < 0 || position >= MsaaClient::kMostChildren || path.size() >= MsaaClient::kDeepest) {
      return std::nullopt;
    }
    path.push_back(position);
  }
  return path;
}

}  // namespace

ElementId id_now(HWND window, std::uint64_t process_start) {
  return {window,
          pid_of(window),
          process_start,
          static_cast<std::uint32_t>(::GetClassLongPtrW(window, GCW_ATOM)),
          static_cast<std::uint32_t>(::GetDlgCtrlID(window)),
          kNoItem,
          {}};
}

ElementHandle handle_of(const ElementId& id) {
  std::string text = std::to_string(reinterpret_cast<std::uintptr_t>(id.window));
  for (const std::uint64_t part :
       {std::uint64_t{id.pid}, id.process_start, std::uint64_t{id.window_class}, std::uint64_t{id.control}}) {
    text += ':' + std::to_string(part);
  }
  text += ':' + std::to_string(id.item);
  for (std::size_t i = 0; i < id.path.size(); ++i) text += (i == 0 ? '/' : '.') + std::to_string(id.path[i]);
  return {text};
}

std::optional<ElementId> id_of(const ElementHandle& handle) {
  std::string_view text = handle.native;
  std::uintptr_t window = 0;
  ElementId id;
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    const auto path = path_of(text.substr(slash + 1));
    if (!path || path->empty()) return std::nullopt;
    id.path = *path;
    text = text.substr(0, slash);
  }
  const bool complete = take(text, window) && take(text, id.pid) && take(text, id.process_start) &&
                        take(text, id.window_class) && take(text, id.control) && take(text, id.item);
  if (!complete || !text.empty() || id.item < kNoItem) return std::nullopt;
  id.window = reinterpret_cast<HWND>(window);
  return id;
}

}  // namespace da::actuator::win32
