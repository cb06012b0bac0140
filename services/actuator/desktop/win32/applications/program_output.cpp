#include "services/actuator/desktop/win32/applications/program_output.h"

#include <mutex>
#include <string_view>
#include <thread>

#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

constexpr std::size_t kLongestLine = 300;

// The complete line before the current one, and the current one, which may grow.
struct Lines {
  std::string complete;
  std::string current;

  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      if (byte == '\n' || byte == '\r') {
        if (!current.empty()) complete = std::exchange(current, {});
      } else if (current.size() < kLongestLine) {
        current += byte;
      }
    }
  }
};

}  // namespace

struct ProgramOutput::Shared {
  explicit Shared(UniqueKernelHandle reader) : reader(std::move(reader)) {}

  void read_all() {
    char buffer[4096];
    for (DWORD got = 0; ::ReadFile(reader.get(), buffer, sizeof buffer, &got, nullptr);) {
      const std::lock_guard lock(mutex);
      lines.add({buffer, got});
    }
  }

  UniqueKernelHandle reader;
  std::mutex mutex;
  Lines lines;
};

Result<ProgramOutput> ProgramOutput::open() {
  HANDLE reader = nullptr;
  HANDLE writer = nullptr;
  if (!::CreatePipe(&reader, &writer, nullptr, 0)) return win32_error("create a pipe", ::GetLastError());
  auto shared = std::make_shared<Shared>(UniqueKernelHandle(reader));
  ProgramOutput output(UniqueKernelHandle(writer), shared);
  if (!::SetHandleInformation(writer, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT)) {
    return win32_error("share a pipe", ::GetLastError());
  }
  std::thread([shared] { shared->read_all(); }).detach();
  return output;
}

std::string ProgramOutput::last_line() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->lines.current.empty() ? shared_->lines.complete : shared_->lines.current;
}

}  // namespace da::actuator::win32
