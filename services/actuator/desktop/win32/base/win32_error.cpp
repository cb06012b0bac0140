#include "services/actuator/desktop/win32/base/win32_error.h"

#include <windows.h>

#include "lib/base/text.h"
#include "services/actuator/desktop/win32/base/wide_text.h"

namespace da::actuator::win32 {
namespace {

// "The requested operation requires elevation"; missing in older headers.
constexpr DWORD kElevationRequired = 740;

Code code_of(DWORD number) {
  switch (number) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_WINDOW_HANDLE: return Code::kNotFound;
    case ERROR_ACCESS_DENIED:
    case kElevationRequired: return Code::kPermissionDenied;
    case ERROR_INVALID_PARAMETER:
    case ERROR_BAD_EXE_FORMAT:
    case ERROR_INVALID_NAME: return Code::kInvalidArgument;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS: return Code::kAlreadyExists;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_DISK_FULL: return Code::kResourceExhausted;
    case ERROR_TIMEOUT:
    case WAIT_TIMEOUT: return Code::kDeadlineExceeded;
    case ERROR_CALL_NOT_IMPLEMENTED:
    case ERROR_NOT_SUPPORTED: return Code::kUnimplemented;
    default: return Code::kInternal;
  }
}

std::string text_of(DWORD number) {
  constexpr DWORD kLongest = 300;
  wchar_t buffer[kLongest] = {};
  const DWORD length =
      ::FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK,
                       nullptr, number, 0, buffer, kLongest, nullptr);
  const std::string text = to_utf8({buffer, length});
  return std::string(trim(text));
}

}  // namespace

Error win32_error(std::string_view attempted, unsigned long number) {
  const std::string text = text_of(number);
  return {code_of(number), std::string(attempted) + ": " + (text.empty() ? "" : text + " ") + "(Windows error " +
                               std::to_string(number) + ")"};
}

}  // namespace da::actuator::win32
