// The file of the audit log (record.h): appends durably, and repairs the end of the file after a crash.
//
// Several policies of one user may share a file: an append locks the file and continues after the records of others.
// Complete lines are never changed or removed:
//   - a last line without a newline was torn by a crash; it is moved to a file of its own beside the log
//   - complete lines at the end that are not records stay, for verification to find
// A record of kind "recovered" reports either. If the file is missing, replaced or shorter than before, each append is
// an error until the file is back or the process restarts. One thread at a time (AuditLog ensures that).
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/os/unique_fd.h"
#include "services/policy/audit/record.h"

namespace da::policy {

// What an append waits for. kKernel survives a crash of the process, kDisk a crash of the machine.
enum class Reach { kKernel, kDisk };

class AuditFile {
 public:
  // Creates a missing file (0600). kPermissionDenied if others may read or write it.
  static Result<AuditFile> open(const std::filesystem::path& path, std::string boot_id, const Clock& clock);

  // Writes all records or none. Without records it syncs the earlier ones. kDataLoss if the file is not an audit log.
  Result<void> append(std::span<const AuditRecord> records, Reach reach);

  const std::filesystem::path& path() const { return path_; }
  const std::string& boot_id() const { return boot_id_; }
  // The last record that this process has seen.
  const ChainEnd& end() const { return end_; }
  // Hash of the first record, which identifies the log; empty without records.
  const std::string& log_id() const { return log_id_; }

 private:
  // Identifies the opened file, to detect a replacement.
  struct Identity {
    dev_t device;
    ino_t inode;
  };
  AuditFile(std::filesystem::path path, os::UniqueFd fd, Identity identity, std::string boot_id, const Clock& clock);

  Result<std::uint64_t> size_of_same_file() const;
  // Finds the end after records of other processes, and repairs it.
  Result<void> catch_up(std::uint64_t size);
  Result<void> move_torn_aside(std::string_view torn, std::uint64_t whole_size);
  Result<void> read_log_id();
  Result<void> write_lines(Reach reach);

  std::filesystem::path path_;
  os::UniqueFd fd_;
  Identity identity_;
  std::string boot_id_;
  const Clock* clock_;
  ChainEnd end_;
  std::uint64_t size_ = 0;  // Of the file, when this process last saw it.
  std::string repaired_;    // Repairs that the next append must record.
  std::string log_id_;
  std::string lines_;  // Buffer of append().
};

}  // namespace da::policy
