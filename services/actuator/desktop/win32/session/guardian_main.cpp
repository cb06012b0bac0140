// da-guardian.exe PROCESS HELD CLIPBOARD: handles, as decimal numbers, that the actuator lets it inherit (guardian.h).
#include <windows.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "services/actuator/desktop/win32/session/guardian.h"

namespace {

using namespace da::actuator::win32;

std::optional<UniqueKernelHandle> handle_of(std::string_view number) {
  std::uintptr_t value = 0;
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != number.data() + number.size() || value == 0) return std::nullopt;
  return UniqueKernelHandle(reinterpret_cast<HANDLE>(value));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto process = handle_of(argv[1]);
  auto held_memory = handle_of(argv[2]);
  auto clipboard_memory = handle_of(argv[3]);
  if (!process || !held_memory || !clipboard_memory) return 2;
  // The clipboard may contain a password, which must not reach a crash report.
  ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
  ::SetProcessDpiAwarenessContext(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2);
  const auto held = HeldPage::map(*std::move(held_memory));
  const auto clipboard = KeptClipboard::map(*std::move(clipboard_memory));
  if (!held || !clipboard) return 1;
  return guard(process->get(), *held, *clipboard) ? 0 : 1;
}
