// Any bytes as an MCAP file: errors, but no crash, no hang, and no more messages than its statistics count, if it is
// read without a summary.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "lib/os/files/file_descriptors.h"
#include "lib/os/files/files.h"
#include "lib/os/unique_fd.h"
#include "lib/recording/mcap/mcap_reader.h"
#include "tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace da;
  const os::UniqueFd file(::memfd_create("mcap", MFD_CLOEXEC));
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  if (!os::write_all(file.get(), {reinterpret_cast<const char*>(data), size}, path)) return 0;
  const auto reader = recording::McapReader::open(path);
  if (!reader) return 0;
  std::uint64_t messages = 0;
  const auto read = (*reader)->read({}, [&](const recording::McapMessage& message) {
    fuzz::require((*reader)->channels().contains(message.channel_id), "the message has a known channel");
    ++messages;
    return ok();
  });
  const bool scanned = (*reader)->by_scan();
  fuzz::require(!scanned || read.has_value(), "what a scan found can be read");
  fuzz::require(!scanned || messages <= (*reader)->statistics().messages, "no message is read twice");
  static_cast<void>((*reader)->attachments());
  static_cast<void>((*reader)->metadata());
  return 0;
}
