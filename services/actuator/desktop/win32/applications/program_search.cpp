#include "services/actuator/desktop/win32/applications/program_search.h"

#include <windows.h>

#include <algorithm>
#include <filesystem>

#include "lib/base/text.h"
#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/base/wide_text.h"

namespace da::actuator::win32 {
namespace {

namespace fs = std::filesystem;

constexpr wchar_t kAppPaths[] = L"Software\\Microsoft\\Windows\\CurrentVersion\\App Paths";

bool is_program_name(const std::wstring& extension) {
  return ::lstrcmpiW(extension.c_str(), L".exe") == 0 || ::lstrcmpiW(extension.c_str(), L".com") == 0;
}

// Resolves links and short names. The path itself where Windows does not open it, as for the aliases of store apps.
std::wstring resolved_path(const fs::path& path) {
  const auto file = file_handle(::CreateFileW(path.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                              nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
  constexpr DWORD kLongest = 32'768;
  std::wstring found(kLongest, L'\0');
  const DWORD length = file ? ::GetFinalPathNameByHandleW(file.get(), found.data(), kLongest, VOLUME_NAME_DOS) : 0;
  if (length == 0 || length >= kLongest) return path.wstring();
  found.resize(length);
  constexpr std::wstring_view kPrefix = L"\\\\?\\";
  constexpr std::wstring_view kShare = L"\\\\?\\UNC\\";
  if (found.starts_with(kShare)) return L"\\\\" + found.substr(kShare.size());
  return found.starts_with(kPrefix) ? found.substr(kPrefix.size()) : found;
}

std::optional<std::string> program_at(fs::path path) {
  if (!is_program_name(path.extension().wstring())) path += L".exe";
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return std::nullopt;
  return to_utf8(resolved_path(path));
}

std::wstring variable(const wchar_t* name) {
  std::wstring value(32'768, L'\0');
  value.resize(::GetEnvironmentVariableW(name, value.data(), static_cast<DWORD>(value.size())));
  return value;
}

// The system's directories, then those of PATH. Leaves out relative ones: they mean the working directory.
std::vector<fs::path> program_directories() {
  wchar_t directory[MAX_PATH] = {};
  std::vector<fs::path> found;
  if (::GetSystemDirectoryW(directory, MAX_PATH) != 0) found.emplace_back(directory);
  if (::GetWindowsDirectoryW(directory, MAX_PATH) != 0) found.emplace_back(directory);
  const std::wstring path = variable(L"PATH");
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(L';', at), path.size());
    const fs::path each(path.substr(at, end - at));
    if (each.is_absolute()) found.push_back(each);
    at = end + 1;
  }
  return found;
}

std::optional<std::string> program_of_registry(const std::wstring& name) {
  const std::wstring key = std::wstring(kAppPaths) + L"\\" + name;
  for (const HKEY root : {HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE}) {
    wchar_t value[1024] = {};
    DWORD size = sizeof value;
    if (::RegGetValueW(root, key.c_str(), nullptr, RRF_RT_REG_SZ | RRF_RT_REG_EXPAND_SZ, nullptr, value, &size) !=
        ERROR_SUCCESS) {
      continue;
    }
    // Some programs write their path in quotation marks.
    std::wstring path = value;
    std::erase(path, L'"');
    if (auto program = program_at(path)) return program;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_program(const std::string& name) {
  const fs::path path(to_utf16(name));
  if (path.is_absolute()) return program_at(path);
  if (path.has_parent_path() || path.has_root_path() || name.find(':') != std::string::npos) return std::nullopt;
  for (const fs::path& directory : program_directories()) {
    if (auto program = program_at(directory / path)) return program;
  }
  const std::wstring file = is_program_name(path.extension().wstring()) ? path.wstring() : path.wstring() + L".exe";
  return program_of_registry(file);
}

std::vector<std::string> known_programs() {
  std::vector<std::string> known;
  const auto add = [&known](const fs::path& file) { known.push_back(to_utf8(file.stem().wstring())); };
  for (const fs::path& directory : program_directories()) {
    std::error_code failed;
    for (fs::directory_iterator file(directory, failed), last; !failed && file != last; file.increment(failed)) {
      if (is_program_name(file->path().extension().wstring())) add(file->path());
    }
  }
  for (const HKEY root : {HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE}) {
    HKEY opened = nullptr;
    if (::RegOpenKeyExW(root, kAppPaths, 0, KEY_READ, &opened) != ERROR_SUCCESS) continue;
    const UniqueRegistryKey key(opened);
    wchar_t name[256] = {};
    for (DWORD index = 0;; ++index) {
      DWORD size = 256;
      if (::RegEnumKeyExW(key.get(), index, name, &size, nullptr, nullptr, nullptr, nullptr) != ERROR_SUCCESS) break;
      add(fs::path(name));
    }
  }
  // Suggest no name that a message would have to escape.
  std::erase_if(known, [](const std::string& each) { return quote_foreign(each) != "\"" + each + "\""; });
  std::ranges::sort(known);
  const auto repeated = std::ranges::unique(known);
  known.erase(repeated.begin(), repeated.end());
  return known;
}

bool is_console_program(const std::string& path) {
  const auto file = file_handle(::CreateFileW(to_utf16(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                              nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
  const auto read_at = [&file](LONG offset, void* into, DWORD size) {
    DWORD got = 0;
    return ::SetFilePointer(file.get(), offset, nullptr, FILE_BEGIN) != INVALID_SET_FILE_POINTER &&
           ::ReadFile(file.get(), into, size, &got, nullptr) && got == size;
  };
  IMAGE_DOS_HEADER dos{};
  if (!file || !read_at(0, &dos, sizeof dos) || dos.e_magic != IMAGE_DOS_SIGNATURE) return false;
  // The subsystem has the same place in 32-bit and 64-bit programs.
  IMAGE_NT_HEADERS64 headers{};
  if (!read_at(dos.e_lfanew, &headers, sizeof headers) || headers.Signature != IMAGE_NT_SIGNATURE) return false;
  return headers.OptionalHeader.Subsystem == IMAGE_SUBSYSTEM_WINDOWS_CUI;
}

}  // namespace da::actuator::win32
