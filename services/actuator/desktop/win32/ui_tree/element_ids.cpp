#include "services/actuator/desktop/win32/ui_tree/element_ids.h"

#include <charconv>

#include "services/actuator/desktop/win32/windows/window_facts.h"

namespace da::actuator::win32 {
namespace {

// Takes the next number of "1:2:3"; false when there is none.
template <class T>
bool take(std::string_view& text, T& number) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  if (!text.empty() && text.front() != ':') return false;
  if (!text.empty()) text.remove_prefix(1);
  return true;
}

}  // namespace

ElementId id_now(HWND window, std::uint64_t process_start) {
  return {window,
          pid_of(window),
          process_start,
          static_cast<std::uint32_t>(::GetClassLongPtrW(window, GCW_ATOM)),
          static_cast<std::uint32_t>(::GetDlgCtrlID(window)),
          kNoItem};
}

ElementHandle handle_of(const ElementId& id) {
  std::string text = std::to_string(reinterpret_cast<std::uintptr_t>(id.window));
  for (const std::uint64_t part :
       {std::uint64_t{id.pid}, id.process_start, std::uint64_t{id.window_class}, std::uint64_t{id.control}}) {
    text += ':' + std::to_string(part);
  }
  return {text + ':' + std::to_string(id.item)};
}

std::optional<ElementId> id_of(const ElementHandle& handle) {
  std::string_view text = handle.native;
  std::uintptr_t window = 0;
  ElementId id;
  const bool complete = take(text, window) && take(text, id.pid) && take(text, id.process_start) &&
                        take(text, id.window_class) && take(text, id.control) && take(text, id.item);
  if (!complete || !text.empty() || id.item < kNoItem) return std::nullopt;
  id.window = reinterpret_cast<HWND>(window);
  return id;
}

}  // namespace da::actuator::win32
