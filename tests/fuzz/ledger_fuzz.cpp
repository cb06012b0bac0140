// A corrupt ledger file. If byte 0 is even, the rest is the file. If it is odd, the rest is split into bodies, each
// framed with its length and checksum, so that mutations pass the checksum. Entries must be readable again, and a known
// step must never execute again.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "lib/base/id.h"
#include "lib/os/unique_fd.h"
#include "services/actuator/grant/ledger.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;

// The separator of bodies: no valid field of an Outcome starts with the byte 0xfe.
std::string framed(const std::string& bodies) {
  std::string file;
  for (std::size_t at = 0; at < bodies.size();) {
    const std::size_t end = std::min(bodies.find('\xfe', at), bodies.size());
    const std::string body = bodies.substr(at, end - at);
    const auto length = static_cast<std::uint32_t>(body.size());
    char head[8];
    std::memcpy(head, &length, 4);
    std::memcpy(head + 4, da::blake2b(body, 16).data(), 4);
    file.append(head, sizeof head).append(body);
    at = end + 1;
  }
  return file;
}

std::unique_ptr<da::actuator::Ledger> open(int file) {
  auto ledger = da::actuator::Ledger::open("/proc/self/fd/" + std::to_string(file));
  require(ledger.has_value(), "a ledger opens whatever its end is");
  return std::move(*ledger);
}

da::v1::Outcome intent() {
  da::v1::Outcome intent;
  intent.set_grant_id("fresh");
  intent.set_tool("write");
  return intent;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string content(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 1) content = framed(content);
  const da::os::UniqueFd file(::memfd_create("ledger", MFD_CLOEXEC));
  require(::pwrite(file.get(), content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()), "written");

  {
    const auto ledger = open(file.get());
    const auto known = ledger->find("fresh");
    const auto begun = ledger->begin(intent());
    require(begun.has_value(), "a readable ledger can be written");
    require(begun->has_value() == known.has_value(), "a known step does not execute again");
  }
  const auto ledger = open(file.get());
  require(ledger->find("fresh").has_value(), "an intent survives");
  const auto again = ledger->begin(intent());
  require(again.has_value() && again->has_value(), "an intent never executes twice");
  require((*again)->kind() != da::v1::Outcome::KIND_UNSPECIFIED, "a known step has an outcome");
  return 0;
}
