// Storage of a ledger: bytes that are appended and sometimes replaced as a whole. Several actuators may have one file
// open; each appends whole records. One thread at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

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

// On disk. Each process that has the file open takes a shared lock on it; replacing it takes an exclusive one.
class PosixLedgerFile final : public LedgerFile {
 public:
  static Result<std::unique_ptr<LedgerFile>> open(const std::filesystem::path& path);

  Result<std::string> read() override;
  Result<void> append(std::string_view record) override;
  Result<Others> replace(const Rewrite& rewrite) override;

 private:
  explicit PosixLedgerFile(std::filesystem::path path) : path_(std::move(path)) {}
  // Opens the file that is at the path now, with a shared lock.
  Result<void> attach();
  bool is_at_path() const;
  Result<void> write_beside(const std::filesystem::path& beside, std::string_view content) const;

  const std::filesystem::path path_;
  os::UniqueFd fd_;
};

}  // namespace da::actuator
