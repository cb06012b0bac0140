// Any bytes as a recording: the checks, the recovery and the decoding by embedded schemas end without a crash, and what
// was recovered is a complete MCAP file.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "lib/os/files/file_descriptors.h"
#include "lib/os/files/files.h"
#include "lib/os/unique_fd.h"
#include "lib/recording/embedded_types.h"
#include "lib/recording/mcap/mcap_reader.h"
#include "lib/recording/reading/recording_check.h"
#include "lib/recording/reading/recording_summary.h"
#include "lib/recording/reading/recovery.h"
#include "tests/fuzz/require.h"

namespace {

std::string output_path() {
  static const std::string path = "/dev/shm/da-recording-fuzz-" + std::to_string(::getpid());
  return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace da;
  using namespace da::recording;
  const os::UniqueFd bytes(::memfd_create("recording", MFD_CLOEXEC));
  const std::string path = "/proc/self/fd/" + std::to_string(bytes.get());
  if (!os::write_all(bytes.get(), {reinterpret_cast<const char*>(data), size}, path)) return 0;
  static_cast<void>(summarize(path));
  const auto file = McapFile::open(path);
  if (!file) return 0;
  std::uint64_t faults = 0;
  const auto counts = check_recording(*file, [&](const std::string&) { ++faults; });
  fuzz::require(counts.faults == faults, "every fault is reported");
  if (const auto reader = McapReader::open(path)) {
    EmbeddedTypes types;
    static_cast<void>((*reader)->read({}, [&](const McapMessage& message) {
      if (const auto parsed = types.parse((*reader)->definitions(), message)) static_cast<void>(header_of(**parsed));
      return ok();
    }));
  }
  if (const auto recovery = recover(*file, output_path())) {
    const auto again = McapReader::open(output_path());
    fuzz::require(again && (*again)->problem().empty(), "a recovered recording is complete");
    fuzz::require((*again)->statistics().messages >= recovery->messages, "it has all recovered messages");
    ::unlink(output_path().c_str());
  }
  return 0;
}
