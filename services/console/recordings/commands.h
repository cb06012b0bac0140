// The commands that list, show, check, repair and make recordings (docs/RECORDING.md). All but record_bus() work on
// files alone. Each prints its errors on stderr and returns the exit code. Main thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "services/console/commands/commands.h"

namespace da::console {

struct ListRecordingsOptions {
  std::filesystem::path directory;  // Empty: that of embedded runs.
  Format format = Format::kLines;
};
int list_recordings(const ListRecordingsOptions& options);

// In all commands below, `file` is a path, or names a recording of embedded runs (find_recording.h).
int show_recording(const std::string& file, Format format);
int check_recording(const std::string& file);
int recover_recording(const std::string& file, const std::filesystem::path& output);

enum class Bytes { kHash, kBase64 };
struct CatOptions {
  std::string file;
  std::vector<std::string> topics;  // Empty: all.
  std::string from;                 // A moment (moment.h); empty: no limit.
  std::string to;
  std::string task_id;         // Only facts of this task; empty: all messages.
  Bytes bytes = Bytes::kHash;  // How to print long bytes, such as images.
};
int cat_recording(const CatOptions& options);

struct ExtractOptions {
  std::string file;
  std::filesystem::path directory;  // Empty: only with a step, which then goes to stdout.
  std::string step_id;              // Only this step and what led to it; empty: images and attachments.
};
int extract_recording(const ExtractOptions& options);

struct RecordOptions {
  std::filesystem::path config;  // Empty: the newest embedded run.
  std::filesystem::path file;
  Milliseconds duration{0};        // 0: until a signal.
  std::uint64_t rotate_bytes = 0;  // 0: never.
  Milliseconds rotate_every{0};    // 0: never.
  std::uint32_t keep = 0;          // Files; 0: all.
};
int record_bus(const RecordOptions& options);

}  // namespace da::console
