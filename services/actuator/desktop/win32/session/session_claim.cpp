#include "services/actuator/desktop/win32/session/session_claim.h"

#include <thread>

#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

// "Local" is the name space of the session.
constexpr wchar_t kName[] = L"Local\\DesktopAssistActuator";
constexpr Milliseconds kBetweenTries{50};

}  // namespace

Result<UniqueKernelHandle> claim_session(MonoTime deadline, const Clock& clock) {
  for (;;) {
    UniqueKernelHandle mutex(::CreateMutexW(nullptr, FALSE, kName));
    const DWORD number = ::GetLastError();
    if (!mutex && number != ERROR_ACCESS_DENIED) return win32_error("claim the session", number);
    if (mutex && number != ERROR_ALREADY_EXISTS) return mutex;
    if (clock.now() >= deadline) {
      return Error{Code::kAlreadyExists, "this session already has an actuator: end that one first"};
    }
    mutex.reset();
    std::this_thread::sleep_for(kBetweenTries);
  }
}

}  // namespace da::actuator::win32
