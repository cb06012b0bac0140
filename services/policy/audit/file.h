// The file of the audit log (record.h): appends, durably, and mends what a crash left at its end.
//
// Several policies of one user, each with a start of its own, may share a file: an append holds the file's lock and
// goes on behind whatever others wrote meanwhile. Nothing that was once written whole is ever changed or cut off:
//   - a last record without its newline was torn by a crash: it is moved to a file of its own beside the log
//   - whole lines at the end that are no records are left where they are, for verification to find
// and a record of kind "recovered" says so. A file that is gone, replaced or shorter than it was is an error, each
// time, until it is back or the process starts anew. One thread at a time (AuditLog sees to that).
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

// How far a record gets before the writer goes on: past a crash of the process, or past one of the machine.
enum class Reach { kKernel, kDisk };

class AuditFile {
 public:
  // Creates it as 0600. kPermissionDenied where others may read or write it; kDataLoss where it is no audit log.
  static Result<AuditFile> open(const std::filesystem::path& path, std::string boot_id, const Clock& clock);

  // Writes all or none. With none given, makes what was written before reach the disk.
  Result<void> append(std::span<const AuditRecord> records, Reach reach);

  const std::filesystem::path& path() const { return path_; }
  const std::string& boot_id() const { return boot_id_; }
  // The last record that this process knows of.
  const ChainEnd& end() const { return end_; }
  // Hash of the first record, which names the log; empty while there is none.
  const std::string& log_id() const { return log_id_; }

 private:
  // Of the file that was opened, so that another one in its place is noticed.
  struct Identity {
    dev_t device;
    ino_t inode;
  };
  AuditFile(std::filesystem::path path, os::UniqueFd fd, Identity identity, std::string boot_id, const Clock& clock);

  Result<std::uint64_t> size_of_same_file() const;
  // Finds the end that someone else left, and mends it.
  Result<void> catch_up(std::uint64_t size);
  Result<void> set_torn_aside(std::string_view torn, std::uint64_t whole_size);
  Result<void> read_log_id();
  Result<void> write_lines(Reach reach);

  std::filesystem::path path_;
  os::UniqueFd fd_;
  Identity identity_;
  std::string boot_id_;
  const Clock* clock_;
  ChainEnd end_;
  std::uint64_t size_ = 0;  // Of the file, when this process last saw it.
  std::string mended_;      // What a record must still say about the end that was found.
  std::string log_id_;
  std::string lines_;  // Of the append that runs.
};

}  // namespace da::policy
