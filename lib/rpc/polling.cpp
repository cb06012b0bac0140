#include "lib/rpc/polling.h"

#include <grpc/grpc.h>

#include <cstdlib>

namespace da::rpc {
namespace {

constexpr const char* kVariable = "GRPC_POLL_STRATEGY";

}  // namespace

void choose_polling() {
  const bool chosen = std::getenv(kVariable) != nullptr;
  if (!chosen) setenv(kVariable, "poll", 1);
  // Reads the variable. Never shut down: the choice would be forgotten with the last channel.
  grpc_init();
  // Programs that are started from here are none of its business.
  if (!chosen) unsetenv(kVariable);
}

}  // namespace da::rpc
