#include "lib/rpc/status.h"

#include <string>

#include "lib/base/text.h"

namespace da::rpc {
namespace {

// Marks a peer's own answer, to distinguish it from gRPC's errors about the peer.
constexpr char kAnswered[] = "answered";

}  // namespace

grpc::Status to_status(const Error& error) {
  return {static_cast<grpc::StatusCode>(error.code), error.message, kAnswered};
}

Error to_error(const grpc::Status& status, std::string_view peer, std::string_view method, std::string_view address) {
  const auto code = static_cast<Code>(status.error_code());
  if (status.error_details() == kAnswered) return {code, escape_foreign_lines(status.error_message(), 4000)};
  const std::string who(peer);
  switch (code) {
    case Code::kUnavailable:
      return {code, who + " cannot be reached at " + std::string(address) + " (" + std::string(method) +
                        "): " + escape_foreign(status.error_message())};
    case Code::kDeadlineExceeded:
      return {code, who + " did not answer " + std::string(method) + " in time (" + std::string(address) + ")"};
    case Code::kCancelled: return {code, std::string(method) + " at " + who + " was cancelled"};
    case Code::kUnimplemented:
      return {code, who + " does not know " + std::string(method) + ": is it the same version?"};
    default: return {code, escape_foreign_lines(status.error_message(), 4000)};
  }
}

}  // namespace da::rpc
