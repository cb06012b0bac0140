#include "lib/base/path_text.h"
#include "lib/os/files/append_file.h"
#include "lib/os/files/file_access_win32.h"

namespace da::os {
namespace {

class WindowsAppendFile final : public AppendFile {
 public:
  WindowsAppendFile(UniqueWinHandle file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)) {}
  Result<void> append(std::string_view bytes) override {
    DWORD written = 0;
    if (::WriteFile(file_.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr) == 0) {
      return windows_error("append to " + text_of(path_), ::GetLastError());
    }
    if (written == bytes.size()) return ok();
    return windows_error("append to " + text_of(path_), ERROR_DISK_FULL);
  }

 private:
  const UniqueWinHandle file_;
  const std::filesystem::path path_;
};

// With the right to append alone, each write goes to the end of the file. `rights` and `flags` are added to the usual
// ones.
Result<UniqueWinHandle> open_to_append(const std::filesystem::path& path, DWORD rights, DWORD flags) {
  ASSIGN_OR_RETURN(PrivateAttributes attributes, PrivateAttributes::make());
  constexpr DWORD kShare = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  UniqueWinHandle file(::CreateFileW(path.c_str(), FILE_APPEND_DATA | SYNCHRONIZE | rights, kShare, attributes.get(),
                                     OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL | flags, nullptr));
  if (!file) return windows_error("open " + text_of(path), ::GetLastError());
  return file;
}

}  // namespace

Result<std::unique_ptr<AppendFile>> AppendFile::open(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(UniqueWinHandle file, open_to_append(path, 0, 0));
  return std::unique_ptr<AppendFile>(std::make_unique<WindowsAppendFile>(std::move(file), path));
}

Result<std::unique_ptr<AppendFile>> AppendFile::open_private(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(UniqueWinHandle file,
                   open_to_append(path, READ_CONTROL | FILE_READ_ATTRIBUTES, FILE_FLAG_OPEN_REPARSE_POINT));
  BY_HANDLE_FILE_INFORMATION info{};
  if (::GetFileInformationByHandle(file.get(), &info) == 0) {
    return windows_error("look at " + text_of(path), ::GetLastError());
  }
  if ((info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    return Error{Code::kPermissionDenied, "open " + text_of(path) + ": it is a link; use the file itself"};
  }
  RETURN_IF_ERROR(check_access(file.get(), Others::kMayNotRead, path));
  return std::unique_ptr<AppendFile>(std::make_unique<WindowsAppendFile>(std::move(file), path));
}

}  // namespace da::os
