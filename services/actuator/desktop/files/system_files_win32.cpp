#include <array>
#include <cstring>
#include <filesystem>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/win32.h"
#include "services/actuator/desktop/files/file_number_win32.h"
#include "services/actuator/desktop/files/file_time_win32.h"
#include "services/actuator/desktop/files/recycle_bin_win32.h"
#include "services/actuator/desktop/files/system_files.h"

namespace da::actuator {
namespace {

std::string show(const std::string& foreign) { return "\"" + escape_foreign(foreign, 80) + "\""; }

Error aborted(const std::string& path, const char* what) {
  return {Code::kAborted, what + (" " + quote_foreign(path)) + ", so nothing was deleted"};
}

Error last_error(const char* attempted, const std::string& path) {
  return os::windows_error(attempted + (" " + show(path)), ::GetLastError());
}

enum class Links { kFollow, kOpen };

// Others may not rename or delete the file while the handle is open.
Result<os::UniqueWinHandle> open_path(const std::string& path, DWORD rights, Links links) {
  const DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | (links == Links::kOpen ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
  os::UniqueWinHandle file(::CreateFileW(path_of(path).c_str(), rights | FILE_READ_ATTRIBUTES,
                                         FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, flags, nullptr));
  if (!file) return last_error("find", path);
  return file;
}

// C:\Users\x\a.txt, without links; the system puts \\?\ before it.
Result<std::string> canonical_path(HANDLE file, const std::string& path) {
  std::wstring text(32'768, L'\0');
  const DWORD size =
      ::GetFinalPathNameByHandleW(file, text.data(), static_cast<DWORD>(text.size()), FILE_NAME_NORMALIZED);
  if (size == 0 || size >= text.size()) return last_error("find", path);
  text.resize(size);
  constexpr std::wstring_view kPrefix = LR"(\\?\)";
  constexpr std::wstring_view kShare = LR"(\\?\UNC\)";
  if (text.starts_with(kShare)) return R"(\\)" + os::narrow(text.substr(kShare.size()));
  return os::narrow(text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text);
}

std::uint64_t join(DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; }

std::optional<std::array<std::uint64_t, 2>> file_id(HANDLE file) {
  FILE_ID_INFO info{};
  if (!::GetFileInformationByHandleEx(file, FileIdInfo, &info, sizeof info)) return std::nullopt;
  std::array<std::uint64_t, 2> halves{};
  static_assert(sizeof halves == sizeof info.FileId);
  std::memcpy(halves.data(), &info.FileId, sizeof halves);
  return halves;
}

Result<FileIdentity> identity_of(HANDLE file, const std::string& path) {
  BY_HANDLE_FILE_INFORMATION info{};
  FILE_BASIC_INFO times{};
  if (::GetFileInformationByHandle(file, &info) == 0 ||
      ::GetFileInformationByHandleEx(file, FileBasicInfo, &times, sizeof times) == 0) {
    return last_error("look at", path);
  }
  const auto number = file_number(file_id(file), join(info.nFileIndexHigh, info.nFileIndexLow));
  if (!number) {
    return Error{Code::kFailedPrecondition, "cannot tell " + show(path) +
                                                " from a file that takes its place: its file system has no numbers "
                                                "for files"};
  }
  return FileIdentity{path, info.dwVolumeSerialNumber, *number, to_unix_ns(times.ChangeTime.QuadPart),
                      join(info.nFileSizeHigh, info.nFileSizeLow)};
}

bool is_plain(HANDLE file) {
  BY_HANDLE_FILE_INFORMATION info{};
  return ::GetFileType(file) == FILE_TYPE_DISK && ::GetFileInformationByHandle(file, &info) != 0 &&
         (info.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT)) == 0;
}

class Win32Files final : public Files {
 public:
  explicit Win32Files(const Clock& clock) : clock_(clock) {}

  Result<FileIdentity> identify(const std::string& path) override {
    if (!path_of(path).is_absolute()) {
      return Error{Code::kInvalidArgument, "file_delete needs an absolute path, not " + show(path)};
    }
    ASSIGN_OR_RETURN(const auto file, open_path(path, 0, Links::kOpen));
    if (!is_plain(file.get())) return Error{Code::kInvalidArgument, show(path) + " is not a plain file"};
    ASSIGN_OR_RETURN(const std::string canonical, canonical_path(file.get(), path));
    return identity_of(file.get(), canonical);
  }

  Result<FileIdentity> identify_program(const std::string& executable) override {
    ASSIGN_OR_RETURN(const auto file, open_path(executable, 0, Links::kFollow));
    return identity_of(file.get(), executable);
  }

  Result<std::string> remove(const FileIdentity& file) override {
    const std::string& path = file.canonical_path;
    ASSIGN_OR_RETURN(const auto handle, open_path(path, DELETE, Links::kOpen));
    ASSIGN_OR_RETURN(const std::string reached, canonical_path(handle.get(), path));
    if (reached != path) return aborted(path, "there is a link on the way to");
    ASSIGN_OR_RETURN(const FileIdentity found, identity_of(handle.get(), path));
    if (!is_plain(handle.get()) || found != file) return aborted(path, "another file is now at");
    const std::wstring wide_path = path_of(path).wstring();
    ASSIGN_OR_RETURN(RecycleBin bin, RecycleBin::open(wide_path));
    ASSIGN_OR_RETURN(const std::wstring kept_path, bin.take(handle.get(), wide_path, file.size, clock_.wall_now()));
    return os::narrow(kept_path);
  }

 private:
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<Files> open_system_files(FilesOptions, const Clock& clock) {
  return std::make_unique<Win32Files>(clock);
}

}  // namespace da::actuator
