#include "lib/os/files/file_watch.h"

#include <array>
#include <thread>

#include "lib/base/path_text.h"
#include "lib/os/win32.h"

namespace da::os {
namespace {

constexpr DWORD kChanges = FILE_NOTIFY_CHANGE_FILE_NAME | FILE_NOTIFY_CHANGE_SIZE | FILE_NOTIFY_CHANGE_LAST_WRITE |
                           FILE_NOTIFY_CHANGE_CREATION | FILE_NOTIFY_CHANGE_SECURITY;
constexpr DWORD kAgainAfter = 50;  // Milliseconds.
// A directory that cannot be watched any more (its disk is gone) is read in this interval.
constexpr DWORD kUnwatchedInterval = 1000;

bool is_same_name(std::wstring_view a, std::wstring_view b) {
  return ::CompareStringOrdinal(a.data(), static_cast<int>(a.size()), b.data(), static_cast<int>(b.size()), TRUE) ==
         CSTR_EQUAL;
}

class WindowsFileWatch final : public FileWatch {
 public:
  WindowsFileWatch(std::wstring name, UniqueWinHandle directory, UniqueWinHandle event, UniqueWinHandle stop,
                   Changed changed)
      : name_(std::move(name)),
        directory_(std::move(directory)),
        event_(std::move(event)),
        stop_(std::move(stop)),
        changed_(std::move(changed)) {
    overlapped_.hEvent = event_.get();
  }
  ~WindowsFileWatch() override {
    ::SetEvent(stop_.get());
    if (thread_.joinable()) thread_.join();
    if (!watching_) return;
    // The system writes into our buffer until the request has ended.
    ::CancelIoEx(directory_.get(), &overlapped_);
    DWORD ignored = 0;
    ::GetOverlappedResult(directory_.get(), &overlapped_, &ignored, TRUE);
  }

  // false: see GetLastError().
  bool start() {
    watching_ = request();
    if (watching_) thread_ = std::thread([this, read = changed_()] { watch(read); });
    return watching_;
  }

 private:
  bool request() {
    return ::ReadDirectoryChangesW(directory_.get(), buffer_.data(), sizeof buffer_, FALSE, kChanges, nullptr,
                                   &overlapped_, nullptr) != 0;
  }

  void watch(Read read) {
    const std::array<HANDLE, 2> waited{stop_.get(), event_.get()};
    while (true) {
      const DWORD timeout = read == Read::kAgain ? kAgainAfter : watching_ ? INFINITE : kUnwatchedInterval;
      const DWORD woken = ::WaitForMultipleObjects(watching_ ? 2 : 1, waited.data(), FALSE, timeout);
      if (woken == WAIT_OBJECT_0 || woken == WAIT_FAILED) return;
      const bool changed = woken == WAIT_OBJECT_0 + 1 ? read_changes() : !watching_;
      if (changed || read == Read::kAgain) read = changed_();
    }
  }

  // Whether the file is among the changes. Changes until the next request are kept by the system.
  bool read_changes() {
    DWORD size = 0;
    const bool read = ::GetOverlappedResult(directory_.get(), &overlapped_, &size, FALSE) != 0;
    const bool ours = !read || size == 0 || names_our_file(size);  // 0 bytes: too many changes for the buffer.
    watching_ = request();
    return ours;
  }

  bool names_our_file(DWORD size) const {
    const auto* at = reinterpret_cast<const char*>(buffer_.data());
    const char* const end = at + size;
    while (at + offsetof(FILE_NOTIFY_INFORMATION, FileName) <= end) {
      const auto& change = *reinterpret_cast<const FILE_NOTIFY_INFORMATION*>(at);
      if (is_same_name({change.FileName, change.FileNameLength / sizeof(wchar_t)}, name_)) return true;
      if (change.NextEntryOffset == 0) return false;
      at += change.NextEntryOffset;
    }
    return false;
  }

  const std::wstring name_;
  const UniqueWinHandle directory_;
  const UniqueWinHandle event_;
  const UniqueWinHandle stop_;
  const Changed changed_;
  OVERLAPPED overlapped_{};
  std::array<DWORD, 4096> buffer_{};
  bool watching_ = false;  // A request is under way. Only for the watch's thread, once it runs.
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<FileWatch>> FileWatch::open(const std::filesystem::path& file, Changed changed) {
  const std::string attempted = "watch " + text_of(file);
  const std::filesystem::path directory = file.has_parent_path() ? file.parent_path() : L".";
  UniqueWinHandle opened(::CreateFileW(directory.c_str(), FILE_LIST_DIRECTORY,
                                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                                       FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OVERLAPPED, nullptr));
  if (!opened) return windows_error(attempted, ::GetLastError());
  auto event = to_handle(::CreateEventW(nullptr, TRUE, FALSE, nullptr));
  auto stop = to_handle(::CreateEventW(nullptr, TRUE, FALSE, nullptr));
  if (!event || !stop) return windows_error(attempted, ::GetLastError());
  auto watch = std::make_unique<WindowsFileWatch>(file.filename().wstring(), std::move(opened), std::move(event),
                                                  std::move(stop), std::move(changed));
  if (!watch->start()) return windows_error(attempted, ::GetLastError());
  return std::unique_ptr<FileWatch>(std::move(watch));
}

}  // namespace da::os
