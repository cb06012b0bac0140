#include "lib/base/path_text.h"
#include "lib/os/files/file_access_win32.h"
#include "services/actuator/grant/ledger_file.h"

namespace da::actuator {
namespace {

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

Error last_error(const std::string& attempted, const std::filesystem::path& path) {
  return os::windows_error(attempted + " " + text_of(path), ::GetLastError());
}

Result<os::UniqueWinHandle> open_private(const std::filesystem::path& path, DWORD rights, DWORD creation) {
  ASSIGN_OR_RETURN(os::PrivateAttributes attributes, os::PrivateAttributes::make());
  os::UniqueWinHandle file(::CreateFileW(path.c_str(), rights, kShareAll, attributes.get(), creation,
                                         FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  if (!file) return last_error("open the ledger", path);
  BY_HANDLE_FILE_INFORMATION info{};
  if (::GetFileType(file.get()) != FILE_TYPE_DISK || ::GetFileInformationByHandle(file.get(), &info) == 0 ||
      (info.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT)) != 0) {
    return Error{Code::kFailedPrecondition, "the ledger " + text_of(path) + " is not a regular file: move it away"};
  }
  return file;
}

// Writes with one call, so that records of several processes do not mix, and makes it durable.
Result<void> write_once(HANDLE file, std::string_view bytes, const std::filesystem::path& path) {
  DWORD written = 0;
  if (::WriteFile(file, bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr) == 0) {
    return last_error("write the ledger", path);
  }
  if (written != bytes.size()) {
    return Error{Code::kResourceExhausted, "write the ledger " + text_of(path) + ": only " + std::to_string(written) +
                                               " of " + std::to_string(bytes.size()) +
                                               " bytes went to the disk; is it full?"};
  }
  if (::FlushFileBuffers(file) == 0) return last_error("sync the ledger", path);
  return ok();
}

// Windows cannot replace a file that is open, so the lock is a file of its own, which is never replaced. Whoever has
// the ledger open holds it shared.
class WindowsLedgerFile final : public LedgerFile {
 public:
  static Result<std::unique_ptr<LedgerFile>> open(const std::filesystem::path& path) {
    std::unique_ptr<WindowsLedgerFile> file(new WindowsLedgerFile(path));
    ASSIGN_OR_RETURN(file->lock_, open_private(file->beside(".lock"), GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS));
    RETURN_IF_ERROR(file->attach());
    return std::unique_ptr<LedgerFile>(std::move(file));
  }

  Result<std::string> read() override {
    LARGE_INTEGER size{};
    if (::GetFileSizeEx(file_.get(), &size) == 0) return last_error("read the ledger", path_);
    std::string content(static_cast<std::size_t>(size.QuadPart), '\0');
    std::size_t have = 0;
    while (have < content.size()) {
      OVERLAPPED from{};
      from.Offset = static_cast<DWORD>(have);
      from.OffsetHigh = static_cast<DWORD>(std::uint64_t{have} >> 32);
      DWORD got = 0;
      if (::ReadFile(file_.get(), content.data() + have, static_cast<DWORD>(content.size() - have), &got, &from) == 0 ||
          got == 0) {
        return last_error("read the ledger", path_);
      }
      have += got;
    }
    return content;
  }

  Result<void> append(std::string_view record) override {
    if (!file_) RETURN_IF_ERROR(attach());  // An earlier replacement could not open it again.
    return write_once(file_.get(), record, path_);
  }

  Result<Others> replace(const Rewrite& rewrite) override {
    RETURN_IF_ERROR(unlock());
    if (!lock(LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY)) {
      // The lock was released for a moment: another process may have replaced the file.
      RETURN_IF_ERROR(attach());
      return Others::kHaveItOpen;
    }
    const auto replaced = replace_locked(rewrite);
    RETURN_IF_ERROR(unlock());
    RETURN_IF_ERROR(attach());
    if (!replaced) return replaced.error();
    return Others::kNone;
  }

 private:
  explicit WindowsLedgerFile(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path beside(const char* suffix) const { return path_of(text_of(path_) + suffix); }

  // Takes the shared lock, then opens the file that is at the path now.
  Result<void> attach() {
    file_.reset();
    if (!lock(0)) return last_error("lock the ledger", path_);
    return reopen();
  }

  // With the right to append and not to write, each write goes to the end of the file.
  Result<void> reopen() {
    file_.reset();
    ASSIGN_OR_RETURN(file_, open_private(path_, FILE_READ_DATA | FILE_READ_ATTRIBUTES | FILE_APPEND_DATA | SYNCHRONIZE,
                                         OPEN_ALWAYS));
    return ok();
  }

  Result<void> replace_locked(const Rewrite& rewrite) {
    RETURN_IF_ERROR(reopen());
    ASSIGN_OR_RETURN(const std::string content, read());
    const auto fresh = beside(".new");
    const auto renamed = [&]() -> Result<void> {
      {
        ASSIGN_OR_RETURN(const auto file, open_private(fresh, GENERIC_WRITE | FILE_READ_ATTRIBUTES, CREATE_ALWAYS));
        RETURN_IF_ERROR(write_once(file.get(), rewrite(content), fresh));
      }
      file_.reset();
      if (::MoveFileExW(fresh.c_str(), path_.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0) {
        return last_error("rename", fresh);
      }
      return ok();
    }();
    if (!renamed) ::DeleteFileW(fresh.c_str());
    return renamed;
  }

  bool lock(DWORD flags) {
    OVERLAPPED at{};
    return ::LockFileEx(lock_.get(), flags, 0, 1, 0, &at) != 0;
  }
  Result<void> unlock() {
    OVERLAPPED at{};
    if (::UnlockFileEx(lock_.get(), 0, 1, 0, &at) == 0) return last_error("unlock the ledger", path_);
    return ok();
  }

  const std::filesystem::path path_;
  os::UniqueWinHandle lock_;
  os::UniqueWinHandle file_;
};

}  // namespace

Result<std::unique_ptr<LedgerFile>> open_ledger_file(const std::filesystem::path& path) {
  return WindowsLedgerFile::open(path);
}

}  // namespace da::actuator
