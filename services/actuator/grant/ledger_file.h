// Storage of a ledger: bytes that are appended and sometimes replaced as a whole. Several actuators may have one file
// open; each appends whole records. One thread at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace da::actuator {

class LedgerFile {
 public:
  enum class Others { kNone, kHaveItOpen };
  // Returns the new content for the current one.
  using Rewrite = std::function<std::string(std::string_view content)>;

  virtual ~LedgerFile() = default;
  virtual Result<std::string> read() = 0;
  // Durable when it returns. After an error the record may be in the file wholly, partly or not at all.
  virtual Result<void> append(std::string_view record) = 0;
  // Replaces the content atomically, even if the process or the machine dies: writes a new file, syncs it, renames it.
  // Does nothing while other processes have the file open, because they would keep appending to the old one.
  virtual Result<Others> replace(const Rewrite& rewrite) = 0;
};

// Opens the file on disk; creates it if it is missing. Each process that has it open holds a shared lock, on the file
// itself or, on Windows, on a file beside it (".lock"); replacing the content takes the exclusive one.
Result<std::unique_ptr<LedgerFile>> open_ledger_file(const std::filesystem::path& path);

}  // namespace da::actuator
