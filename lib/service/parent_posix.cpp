#include "lib/service/parent.h"

#include <poll.h>
#include <sodium.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "lib/os/process/pipe.h"

namespace da::service {
namespace {

constexpr std::size_t kLargestIdentity = 64 << 10;
constexpr std::size_t kLargestSecret = 64 << 10;

}  // namespace

void Parent::add_flags(CLI::App& app, const std::string& secret) {
  app.add_option("--identity-fd", identity_, "read the identity from this descriptor, not from [identity] file");
  if (!secret.empty()) {
    app.add_option("--secret-fd", secret_, "read the " + secret + " from this descriptor, not from its file");
  }
  app.add_option("--ready-fd", ready_, "write one byte to this descriptor once the service serves");
  app.add_option("--lifeline-fd", lifeline_, "stop and remove the run directory when this pipe ends");
}

bool Parent::is_gone() const {
  pollfd lifeline{lifeline_, POLLIN, 0};
  return exists() && ::poll(&lifeline, 1, 0) == 1;
}

Result<std::optional<identity::Identity>> Parent::take_identity() {
  os::UniqueFd descriptor(std::exchange(identity_, -1));
  if (!descriptor) return std::optional<identity::Identity>();
  auto text = os::read_to_end(std::move(descriptor), kLargestIdentity);
  if (!text) return Error{text.error().code, "--identity-fd: " + text.error().message};
  auto identity = identity::parse_identity(*text);
  sodium_memzero(text->data(), text->size());
  if (!identity) return identity.error();
  return std::optional(*std::move(identity));
}

Result<std::optional<std::string>> Parent::take_secret() {
  os::UniqueFd descriptor(std::exchange(secret_, -1));
  if (!descriptor) return std::optional<std::string>();
  return os::read_to_end(std::move(descriptor), kLargestSecret);
}

void Parent::report_ready() {
  const os::UniqueFd ready(std::exchange(ready_, -1));
  if (ready) static_cast<void>(!::write(ready.get(), "r", 1));
}

}  // namespace da::service
