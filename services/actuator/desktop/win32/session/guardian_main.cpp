// da-guardian.exe PROCESS MEMORY: both are handles, as decimal numbers, that the actuator lets it inherit.
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
  if (argc != 3) return 2;
  const auto process = handle_of(argv[1]);
  auto memory = handle_of(argv[2]);
  if (!process || !memory) return 2;
  ::SetProcessDpiAwarenessContext(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2);
  const auto held = HeldPage::map(*std::move(memory));
  if (!held) return 1;
  guard(process->get(), *held);
  return 0;
}
