#include "services/actuator/desktop/files/recycle_bin_win32.h"

#include <cstddef>
#include <cstring>
#include <vector>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/os/files/file_access_win32.h"
#include "services/actuator/desktop/files/file_time_win32.h"

namespace da::actuator {
namespace {

constexpr int kTries = 8;
// Version of the $I file's format.
constexpr std::uint64_t kWindows10Format = 2;
// Shows the folder as the bin of its user.
constexpr std::string_view kDesktopIni =
    "[.ShellClassInfo]\r\nCLSID={645FF040-5081-101B-9F08-00AA002F954E}\r\n"
    "LocalizedResourceName=@%SystemRoot%\\system32\\shell32.dll,-8964\r\n";

std::string show(const std::wstring& path) { return quote_foreign(os::narrow(path)); }

Error last_error(const char* attempted, const std::wstring& path) {
  return os::windows_error(attempted + (" " + show(path)), ::GetLastError());
}

Error no_bin(const std::wstring& path, const std::string& why) {
  return {Code::kFailedPrecondition, "there is no recycle bin for " + show(path) + ", so it was not deleted: " + why};
}

std::wstring entry_of(const std::wstring& directory, std::wstring_view prefix, std::wstring_view name) {
  std::wstring path;
  path.reserve(directory.size() + 1 + prefix.size() + name.size());
  return path.append(directory).append(1, L'\\').append(prefix).append(name);
}

// Others may not rename or delete the directory while the handle is open.
Result<os::UniqueWinHandle> open_directory(const std::wstring& path) {
  os::UniqueWinHandle directory(::CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES | FILE_LIST_DIRECTORY | READ_CONTROL,
                                              FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING,
                                              FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  if (!directory) return last_error("open", path);
  BY_HANDLE_FILE_INFORMATION info{};
  if (::GetFileInformationByHandle(directory.get(), &info) == 0) return last_error("look at", path);
  constexpr DWORD kKind = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
  if ((info.dwFileAttributes & kKind) == FILE_ATTRIBUTE_DIRECTORY) return directory;
  return Error{Code::kPermissionDenied, show(path) + " is a link or no directory"};
}

// Returns whether it was missing.
Result<bool> make_directory(const std::wstring& path, SECURITY_ATTRIBUTES* attributes) {
  if (::CreateDirectoryW(path.c_str(), attributes) != 0) {
    ::SetFileAttributesW(path.c_str(), FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM);
    return true;
  }
  if (::GetLastError() == ERROR_ALREADY_EXISTS) return false;
  return last_error("create", path);
}

Result<void> write_new(const std::wstring& path, std::string_view content, DWORD attributes) {
  const os::UniqueWinHandle file(::CreateFileW(path.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                                               attributes | FILE_FLAG_WRITE_THROUGH, nullptr));
  if (!file) return last_error("create", path);
  DWORD written = 0;
  if (::WriteFile(file.get(), content.data(), static_cast<DWORD>(content.size()), &written, nullptr) == 0 ||
      ::FlushFileBuffers(file.get()) == 0) {
    return last_error("write", path);
  }
  return ok();
}

Result<void> make_own(const std::wstring& path) {
  ASSIGN_OR_RETURN(auto attributes, os::PrivateAttributes::make());
  ASSIGN_OR_RETURN(const bool is_new, make_directory(path, attributes.get()));
  if (!is_new) return ok();
  return write_new(entry_of(path, L"", L"desktop.ini"), kDesktopIni, FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM);
}

template <class Integer>
void append(std::string& bytes, Integer value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// All numbers have the least significant byte first.
std::string info_of(const std::wstring& path, std::uint64_t size, WallTime now) {
  std::string info;
  append(info, kWindows10Format);
  append(info, size);
  append(info, static_cast<std::uint64_t>(to_file_time(now)));
  append(info, static_cast<std::uint32_t>(path.size() + 1));
  info.append(reinterpret_cast<const char*>(path.c_str()), (path.size() + 1) * sizeof(wchar_t));
  return info;
}

// "9F3K2B.txt" for a file with the extension "txt".
std::wstring new_name(const std::wstring& path) {
  std::string name = random_hex(3);
  for (char& digit : name) digit = digit >= 'a' ? static_cast<char>(digit - 'a' + 'A') : digit;
  const std::size_t last = path.find_last_of(L'\\');
  const std::size_t dot = path.find_last_of(L'.');
  std::wstring wide_name = os::wide(name);
  if (dot != std::wstring::npos && dot > last) wide_name.append(path, dot);
  return wide_name;
}

bool is_below(const std::wstring& path, const std::wstring& directory) {
  const auto size = static_cast<int>(directory.size());
  return path.size() > directory.size() && path[directory.size()] == L'\\' &&
         ::CompareStringOrdinal(path.c_str(), size, directory.c_str(), size, TRUE) == CSTR_EQUAL;
}

// Never replaces a file.
bool rename_open(HANDLE file, const std::wstring& path) {
  constexpr std::size_t kHead = offsetof(FILE_RENAME_INFO, FileName);
  const std::size_t bytes = path.size() * sizeof(wchar_t);
  std::vector<std::uint64_t> memory((kHead + bytes + sizeof(wchar_t)) / sizeof(std::uint64_t) + 1);
  auto& info = *reinterpret_cast<FILE_RENAME_INFO*>(memory.data());
  info.ReplaceIfExists = FALSE;
  info.FileNameLength = static_cast<DWORD>(bytes);
  std::memcpy(reinterpret_cast<char*>(memory.data()) + kHead, path.data(), bytes);
  const auto size = static_cast<DWORD>(memory.size() * sizeof(std::uint64_t));
  return ::SetFileInformationByHandle(file, FileRenameInfo, &info, size) != 0;
}

}  // namespace

Result<RecycleBin> RecycleBin::open(const std::wstring& path) {
  std::wstring volume(path.size() + 2, L'\0');
  if (::GetVolumePathNameW(path.c_str(), volume.data(), static_cast<DWORD>(volume.size())) == 0) {
    return last_error("find the volume of", path);
  }
  volume.resize(volume.find(L'\0'));
  if (::GetDriveTypeW(volume.c_str()) != DRIVE_FIXED) {
    return no_bin(path, os::narrow(volume) + " is removable or remote");
  }
  return open_on(volume, path);
}

Result<RecycleBin> RecycleBin::open_on(const std::wstring& volume, const std::wstring& path) {
  ASSIGN_OR_RETURN(const std::wstring user, os::user_sid());
  const std::wstring all_path = volume + L"$Recycle.Bin";
  const std::wstring own_path = entry_of(all_path, L"", user);
  if (const auto made = make_directory(all_path, nullptr); !made) return no_bin(path, made.error().message);
  auto all = open_directory(all_path);
  if (!all) return no_bin(path, all.error().message);
  if (const auto made = make_own(own_path); !made) return no_bin(path, made.error().message);
  auto own = open_directory(own_path);
  if (!own) return no_bin(path, own.error().message);
  const auto is_ours = os::check_access(own->get(), os::Others::kMayNotWrite, own_path);
  if (!is_ours) return no_bin(path, is_ours.error().message);
  return RecycleBin(own_path, *std::move(all), *std::move(own));
}

Result<std::wstring> RecycleBin::take(HANDLE file, const std::wstring& path, std::uint64_t size, WallTime now) {
  if (is_below(path, path_)) return Error{Code::kFailedPrecondition, show(path) + " is in the recycle bin already"};
  for (int i = 0; i < kTries; ++i) {
    const std::wstring name = new_name(path);
    const std::wstring info_path = entry_of(path_, L"$I", name);
    const std::wstring kept_path = entry_of(path_, L"$R", name);
    const auto written = write_new(info_path, info_of(path, size, now), FILE_ATTRIBUTE_NORMAL);
    if (!written && written.error().code == Code::kAlreadyExists) continue;
    if (written && rename_open(file, kept_path)) return kept_path;
    const DWORD failure = ::GetLastError();
    ::DeleteFileW(info_path.c_str());
    RETURN_IF_ERROR(written);
    if (failure == ERROR_ALREADY_EXISTS || failure == ERROR_FILE_EXISTS) continue;
    if (failure == ERROR_NOT_SAME_DEVICE) return no_bin(path, "it is on another volume than the bin");
    return os::windows_error("move " + show(path) + " to the recycle bin", failure);
  }
  return Error{Code::kUnavailable, "no name is free in the recycle bin " + show(path_)};
}

}  // namespace da::actuator
