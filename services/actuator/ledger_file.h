// Where a ledger is kept, as the ledger sees it: bytes that are only added to, and now and then replaced as a whole.
// PosixLedgerFile keeps them on disk. Several actuators may have one file open; each appends whole records. One thread
// at a time.
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
  // The content that is to follow this one.
  using Rewrite = std::function<std::string(std::string_view content)>;

  virtual ~LedgerFile() = default;
  virtual Result<std::string> read() = 0;
  // Durable once it returns. After an error the record may be there: whole, in part, or not at all.
  virtual Result<void> append(std::string_view record) = 0;
  // Replaces the content, or leaves it as it is, whenever the process or the machine dies: written beside, synced,
  // renamed. Nothing happens where others have the file open, who would go on adding to the old one.
  virtual Result<Others> replace(const Rewrite& rewrite) = 0;
};

// Each process that has the file open holds a shared lock on it, and whoever replaces it an exclusive one.
class PosixLedgerFile final : public LedgerFile {
 public:
  static Result<std::unique_ptr<LedgerFile>> open(const std::filesystem::path& path);

  Result<std::string> read() override;
  Result<void> append(std::string_view record) override;
  Result<Others> replace(const Rewrite& rewrite) override;

 private:
  explicit PosixLedgerFile(std::filesystem::path path) : path_(std::move(path)) {}
  // Opens what the path names now, and holds it shared.
  Result<void> attach();
  bool is_at_path() const;
  Result<void> write_beside(const std::filesystem::path& beside, std::string_view content) const;

  const std::filesystem::path path_;
  os::UniqueFd fd_;
};

}  // namespace da::actuator
