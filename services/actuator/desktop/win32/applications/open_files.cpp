#include "services/actuator/desktop/win32/applications/open_files.h"

#include <windows.h>
// windows.h must come first:
#include <shellapi.h>
#include <winternl.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "services/actuator/desktop/roles/applications.h"
#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/base/wide_text.h"

namespace da::actuator::win32 {
namespace {

namespace fs = std::filesystem;

// A console or a shell may have started the console of this very run, which names its rule file.
bool is_our_own(std::uint32_t pid) {
  static const fs::path programs = fs::path(executable_of(::GetCurrentProcessId())).parent_path();
  const fs::path program = executable_of(pid);
  const auto& ancestors = own_ancestors();
  if (std::ranges::find(ancestors, pid) != ancestors.end()) return true;  // Such as a shell.
  return program.parent_path() == programs && program.filename().string().starts_with("da-");
}

// How a process was started, as it keeps it in its own memory.
struct StartedWith {
  std::wstring command_line;
  std::wstring folder;
};

bool read_memory(HANDLE process, const void* at, void* into, std::size_t size) {
  SIZE_T read = 0;
  return ::ReadProcessMemory(process, at, into, size, &read) && read == size;
}

std::wstring read_text(HANDLE process, const UNICODE_STRING& text) {
  std::wstring read(text.Length / sizeof(wchar_t), L'\0');
  return read_memory(process, text.Buffer, read.data(), read.size() * sizeof(wchar_t)) ? read : std::wstring();
}

// NtQueryInformationProcess has no import library everywhere. Microsoft documents the process parameters in winternl.h,
// except the current folder, which lies before the image's path with a handle and the search path between.
std::optional<StartedWith> started_with(std::uint32_t pid) {
  using Query = NTSTATUS(NTAPI*)(HANDLE, PROCESSINFOCLASS, void*, ULONG, ULONG*);
  static const auto query = reinterpret_cast<Query>(
      reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "NtQueryInformationProcess")));
  const UniqueKernelHandle process(::OpenProcess(PROCESS_QUERY_INFORMATION | PROCESS_VM_READ, FALSE, pid));
  PROCESS_BASIC_INFORMATION basic{};
  if (query == nullptr || !process) return std::nullopt;
  if (query(process.get(), ProcessBasicInformation, &basic, sizeof basic, nullptr) < 0) return std::nullopt;
  PEB block{};
  RTL_USER_PROCESS_PARAMETERS parameters{};
  if (!read_memory(process.get(), basic.PebBaseAddress, &block, sizeof block) ||
      !read_memory(process.get(), block.ProcessParameters, &parameters, sizeof parameters)) {
    return std::nullopt;
  }
  constexpr std::size_t kToFolder = 2 * sizeof(UNICODE_STRING) + sizeof(HANDLE);
  UNICODE_STRING folder{};
  const auto* image = reinterpret_cast<const std::uint8_t*>(&parameters.ImagePathName);
  std::memcpy(&folder, image - kToFolder, sizeof folder);
  return StartedWith{read_text(process.get(), parameters.CommandLine), read_text(process.get(), folder)};
}

void add_arguments(const StartedWith& started, std::vector<std::string>& files) {
  int count = 0;
  if (started.command_line.empty()) return;  // CommandLineToArgvW would give our own program.
  const std::unique_ptr<wchar_t*, decltype(&::LocalFree)> words(
      ::CommandLineToArgvW(started.command_line.c_str(), &count), &::LocalFree);
  for (int i = 1; words && i < count && files.size() < kMostOpenFiles; ++i) {
    std::error_code failed;
    const fs::path file = fs::canonical(fs::path(started.folder) / words.get()[i], failed);
    const bool is_folder = !failed && fs::is_directory(file, failed);
    if (failed || (!is_folder && !fs::is_regular_file(file, failed))) continue;
    std::string path = to_utf8(file.wstring()) + (is_folder ? "\\" : "");
    if (std::ranges::find(files, path) == files.end()) files.push_back(std::move(path));
  }
}

// A child starts after its parent; a process with an older start has the number of a parent that has ended.
std::vector<std::uint32_t> family_of(std::uint32_t pid, const std::set<std::uint32_t>& without) {
  const auto processes = list_processes();
  std::vector<std::uint32_t> family = {pid};
  for (std::size_t i = 0; i < family.size(); ++i) {
    const std::uint64_t started = start_of(family[i]);
    for (const ProcessInfo& process : processes) {
      if (process.parent != family[i] || without.contains(process.pid) || start_of(process.pid) < started) continue;
      if (std::ranges::find(family, process.pid) == family.end()) family.push_back(process.pid);
    }
  }
  return family;
}

}  // namespace

std::vector<std::string> open_files_of(std::uint32_t pid, const std::set<std::uint32_t>& others) {
  std::vector<std::string> files;
  if (pid == 0) return files;
  for (const std::uint32_t member : family_of(pid, others)) {
    if (is_our_own(member)) continue;
    if (const auto started = started_with(member)) add_arguments(*started, files);
  }
  return files;
}

}  // namespace da::actuator::win32
