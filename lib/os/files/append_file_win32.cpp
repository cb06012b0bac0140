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

}  // namespace

Result<std::unique_ptr<AppendFile>> AppendFile::open(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(PrivateAttributes attributes, PrivateAttributes::make());
  constexpr DWORD kShare = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  // With the right to append alone, each write goes to the end of the file.
  UniqueWinHandle file(::CreateFileW(path.c_str(), FILE_APPEND_DATA | SYNCHRONIZE, kShare, attributes.get(),
                                     OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!file) return windows_error("open " + text_of(path), ::GetLastError());
  return std::unique_ptr<AppendFile>(std::make_unique<WindowsAppendFile>(std::move(file), path));
}

}  // namespace da::os
