#include "lib/base/id.h"
#include "lib/base/path_text.h"
#include "lib/os/files/file_access_win32.h"
#include "lib/os/files/files.h"
#include "lib/os/files/relative_name.h"
#include "lib/os/process/environment.h"

namespace da::os {
namespace {

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

Error last_error(std::string_view attempted, const std::filesystem::path& path) {
  return windows_error(std::string(attempted) + " " + text_of(path), ::GetLastError());
}

// Refuses devices, pipes and directories. With kRefuse also links, and then the link itself is examined.
Result<UniqueWinHandle> open_file(const std::filesystem::path& path, Links links) {
  const DWORD no_links = links == Links::kRefuse ? FILE_FLAG_OPEN_REPARSE_POINT : 0;
  UniqueWinHandle file(::CreateFileW(path.c_str(), GENERIC_READ, kShareAll, nullptr, OPEN_EXISTING, no_links, nullptr));
  if (!file) return last_error("open", path);
  BY_HANDLE_FILE_INFORMATION info{};
  if (::GetFileType(file.get()) != FILE_TYPE_DISK || ::GetFileInformationByHandle(file.get(), &info) == 0) {
    return Error{Code::kInvalidArgument, text_of(path) + " is not a file"};
  }
  if ((info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    return Error{Code::kPermissionDenied, "open " + text_of(path) + ": it is a link; use the file itself"};
  }
  return file;
}

// Where the open file stands, with all links on the way resolved.
Result<std::wstring> final_path(HANDLE file, const std::filesystem::path& opened) {
  std::wstring place(32'768, L'\0');
  const DWORD length =
      ::GetFinalPathNameByHandleW(file, place.data(), static_cast<DWORD>(place.size()), FILE_NAME_NORMALIZED);
  if (length == 0 || length >= place.size()) return last_error("find", opened);
  place.resize(length);
  return place;
}

Result<std::string> read_all(HANDLE file, const std::filesystem::path& path, std::size_t max_bytes) {
  std::string content;
  char buffer[65536];
  while (true) {
    DWORD got = 0;
    if (::ReadFile(file, buffer, sizeof buffer, &got, nullptr) == 0) return last_error("read", path);
    if (got == 0) return content;
    content.append(buffer, got);
    if (content.size() > max_bytes) {
      return Error{Code::kResourceExhausted,
                   "read " + text_of(path) + ": larger than " + std::to_string(max_bytes) + " bytes"};
    }
  }
}

Result<void> write_new_file(const std::filesystem::path& path, std::string_view content) {
  ASSIGN_OR_RETURN(PrivateAttributes attributes, PrivateAttributes::make());
  const UniqueWinHandle file(::CreateFileW(path.c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                           attributes.get(), CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!file) return last_error("create", path);
  while (!content.empty()) {
    DWORD written = 0;
    const auto size = static_cast<DWORD>(std::min<std::size_t>(content.size(), 1u << 20));
    if (::WriteFile(file.get(), content.data(), size, &written, nullptr) == 0) return last_error("write", path);
    content.remove_prefix(written);
  }
  if (::FlushFileBuffers(file.get()) == 0) return last_error("sync", path);
  return ok();
}

std::filesystem::path directory_in(const char* variable) {
  const auto directory = environment_variable(variable);
  return directory && path_of(*directory).is_absolute() ? path_of(*directory) : std::filesystem::path();
}

std::filesystem::path local_app_data() {
  const auto directory = directory_in("LOCALAPPDATA");
  return directory.empty() ? std::filesystem::temp_directory_path() : directory;
}

}  // namespace

Result<bool> exists(const std::filesystem::path& path) {
  if (::GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES) return true;
  const DWORD failed = ::GetLastError();
  if (failed == ERROR_FILE_NOT_FOUND || failed == ERROR_PATH_NOT_FOUND) return false;
  return windows_error("look for " + text_of(path), failed);
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  ASSIGN_OR_RETURN(const UniqueWinHandle file, open_file(path, Links::kFollow));
  return read_all(file.get(), path, max_bytes);
}

Result<void> write_private_file(const std::filesystem::path& path, std::string_view content) {
  const std::filesystem::path beside = path_of(text_of(path) + "." + random_hex(4));
  const auto written = [&]() -> Result<void> {
    RETURN_IF_ERROR(write_new_file(beside, content));
    // Write-through: the new name is on the disk when it returns.
    if (::MoveFileExW(beside.c_str(), path.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0) {
      return last_error("rename", beside);
    }
    return ok();
  }();
  if (!written) ::DeleteFileW(beside.c_str());
  return written;
}

// NTFS writes names to its log with the change, and MOVEFILE_WRITE_THROUGH waits for it.
Result<void> sync_directory(const std::filesystem::path& path) {
  const DWORD attributes = ::GetFileAttributesW(path.empty() ? L"." : path.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) return last_error("open", path);
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) == 0) return windows_error("open " + text_of(path), ERROR_DIRECTORY);
  return ok();
}

Result<std::string> read_private_file(const std::filesystem::path& path, Links links, std::size_t max_bytes) {
  ASSIGN_OR_RETURN(const UniqueWinHandle file, open_file(path, links));
  RETURN_IF_ERROR(check_access(file.get(), Others::kMayNotRead, path));
  return read_all(file.get(), path, max_bytes);
}

Result<std::string> read_trusted_file(const std::filesystem::path& path, std::size_t max_bytes) {
  ASSIGN_OR_RETURN(const UniqueWinHandle file, open_file(path, Links::kRefuse));
  RETURN_IF_ERROR(check_access(file.get(), Others::kMayNotWrite, path));
  return read_all(file.get(), path, max_bytes);
}

Result<std::string> read_file_below(const std::filesystem::path& folder, const std::filesystem::path& name,
                                    std::size_t max_bytes) {
  RETURN_IF_ERROR(stays_below_its_folder(name));
  const std::filesystem::path path = folder / name;
  ASSIGN_OR_RETURN(const UniqueWinHandle file, open_file(path, Links::kRefuse));
  const UniqueWinHandle directory(::CreateFileW(folder.empty() ? L"." : folder.c_str(), FILE_READ_ATTRIBUTES, kShareAll,
                                                nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!directory) return last_error("open", folder);
  ASSIGN_OR_RETURN(const std::wstring place, final_path(file.get(), path));
  ASSIGN_OR_RETURN(std::wstring expected, final_path(directory.get(), folder));
  if (!expected.ends_with(L'\\')) expected += L'\\';
  expected += std::filesystem::path(name).make_preferred().native();
  if (::CompareStringOrdinal(place.c_str(), -1, expected.c_str(), -1, TRUE) != CSTR_EQUAL) {
    return Error{Code::kPermissionDenied,
                 "open " + text_of(path) + ": there is a link on the way; use the file itself"};
  }
  return read_all(file.get(), path, max_bytes);
}

// check_access() judges owner and list together, so a file of another user also counts as open to others.
Result<FileWithRights> read_file_with_rights(const std::filesystem::path& path, std::size_t max_bytes) {
  ASSIGN_OR_RETURN(const UniqueWinHandle file, open_file(path, Links::kRefuse));
  ASSIGN_OR_RETURN(std::string content, read_all(file.get(), path, max_bytes));
  return FileWithRights{std::move(content),
                        {.is_own = true,
                         .others_may_read = !check_access(file.get(), Others::kMayNotRead, path),
                         .others_may_write = !check_access(file.get(), Others::kMayNotWrite, path)}};
}

Result<void> make_private_directory(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(PrivateAttributes attributes, PrivateAttributes::make());
  // Parents that exist may belong to anyone. The check below detects a directory that could not be created.
  std::filesystem::path parent;
  for (const auto& name : path.parent_path()) {
    parent /= name;
    ::CreateDirectoryW(parent.c_str(), attributes.get());
  }
  if (::CreateDirectoryW(path.c_str(), attributes.get()) == 0 && ::GetLastError() != ERROR_ALREADY_EXISTS) {
    return last_error("create", path);
  }
  const UniqueWinHandle directory(::CreateFileW(path.c_str(), READ_CONTROL | FILE_READ_ATTRIBUTES, kShareAll, nullptr,
                                                OPEN_EXISTING,
                                                FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  if (!directory) return last_error("look at", path);
  BY_HANDLE_FILE_INFORMATION info{};
  if (::GetFileInformationByHandle(directory.get(), &info) == 0) return last_error("look at", path);
  const bool plain = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 &&
                     (info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0;
  if (!plain) return Error{Code::kPermissionDenied, text_of(path) + " must be a directory of yours, not a link"};
  return check_access(directory.get(), Others::kMayNotRead, path);
}

std::filesystem::path state_directory() { return local_app_data() / "DesktopAssist"; }

std::filesystem::path config_directory() {
  const auto directory = directory_in("APPDATA");
  return directory.empty() ? directory : directory / "DesktopAssist";
}

std::filesystem::path runtime_directory() { return state_directory() / "run"; }

}  // namespace da::os
