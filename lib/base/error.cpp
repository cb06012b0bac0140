#include "lib/base/error.h"

#include <cerrno>
#include <system_error>

namespace da {

std::string_view to_string(Code code) {
  switch (code) {
    case Code::kCancelled: return "cancelled";
    case Code::kUnknown: return "unknown";
    case Code::kInvalidArgument: return "invalid argument";
    case Code::kDeadlineExceeded: return "deadline exceeded";
    case Code::kNotFound: return "not found";
    case Code::kAlreadyExists: return "already exists";
    case Code::kPermissionDenied: return "permission denied";
    case Code::kResourceExhausted: return "resource exhausted";
    case Code::kFailedPrecondition: return "failed precondition";
    case Code::kAborted: return "aborted";
    case Code::kOutOfRange: return "out of range";
    case Code::kUnimplemented: return "unimplemented";
    case Code::kInternal: return "internal";
    case Code::kUnavailable: return "unavailable";
    case Code::kDataLoss: return "data loss";
    case Code::kUnauthenticated: return "unauthenticated";
  }
  return "unknown";
}

Error posix_error(std::string_view attempted, int error_number) {
  Code code = Code::kInternal;
  switch (error_number) {
    case ENOENT: code = Code::kNotFound; break;
    case EEXIST: code = Code::kAlreadyExists; break;
    case EACCES:
    case EPERM: code = Code::kPermissionDenied; break;
    case EINVAL: code = Code::kInvalidArgument; break;
    case ENOSPC:
    case ENOMEM:
    case EMFILE: code = Code::kResourceExhausted; break;
    case ECONNREFUSED:
    case EPIPE: code = Code::kUnavailable; break;
    default: break;
  }
  return {code, std::string(attempted) + ": " + std::generic_category().message(error_number)};
}

}  // namespace da
