#include "services/actuator/desktop/win32/applications/win32_applications.h"

#include <algorithm>
#include <cstddef>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "services/actuator/desktop/win32/applications/inherited_handles.h"
#include "services/actuator/desktop/win32/applications/open_files.h"
#include "services/actuator/desktop/win32/applications/program_search.h"
#include "services/actuator/desktop/win32/applications/win32_command_line.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

// Longer than a step waits for a window.
constexpr std::chrono::minutes kFollowedFor{15};
constexpr std::size_t kMostFollowed = 16;
// UTF-16 units; its field is limited to MAX_PATH with the final zero.
constexpr std::size_t kLongestInRunDialog = MAX_PATH - 1;

struct Started {
  UniqueKernelHandle process;
  UniqueKernelHandle job;
  std::uint32_t pid = 0;
};

// Suspended at first, so that no descendant escapes the job.
Result<Started> start(const LaunchPlan& plan, const ProgramOutput* output) {
  const std::wstring program = to_utf16(plan.executable);
  std::wstring command = to_utf16(join_words(plan.argv));
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof startup;
  std::optional<InheritedHandles> inherited;
  if (output != nullptr) {
    inherited.emplace(std::vector<HANDLE>{output->writer()});
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    startup.StartupInfo.hStdOutput = startup.StartupInfo.hStdError = output->writer();
    startup.lpAttributeList = inherited->list();
    if (startup.lpAttributeList == nullptr) return win32_error("launch " + plan.executable, ::GetLastError());
  }
  const DWORD flags = CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | CREATE_NEW_PROCESS_GROUP |
                      EXTENDED_STARTUPINFO_PRESENT | (output == nullptr ? CREATE_NEW_CONSOLE : 0u);
  PROCESS_INFORMATION info{};
  const BOOL created = ::CreateProcessW(program.c_str(), command.data(), nullptr, nullptr, output != nullptr, flags,
                                        nullptr, nullptr, &startup.StartupInfo, &info);
  if (!created) return win32_error("launch " + plan.executable, ::GetLastError());
  const UniqueKernelHandle thread(info.hThread);
  Started started{UniqueKernelHandle(info.hProcess), UniqueKernelHandle(::CreateJobObjectW(nullptr, nullptr)),
                  info.dwProcessId};
  // A program that cannot be followed still runs.
  if (started.job && !::AssignProcessToJobObject(started.job.get(), started.process.get())) started.job.reset();
  ::ResumeThread(thread.get());
  return started;
}

std::vector<std::uint32_t> processes_of(HANDLE job) {
  constexpr std::size_t kMost = 256;
  constexpr std::size_t kSize = sizeof(JOBOBJECT_BASIC_PROCESS_ID_LIST) + kMost * sizeof(ULONG_PTR);
  alignas(JOBOBJECT_BASIC_PROCESS_ID_LIST) std::byte memory[kSize] = {};
  auto& list = *reinterpret_cast<JOBOBJECT_BASIC_PROCESS_ID_LIST*>(memory);
  const BOOL known = ::QueryInformationJobObject(job, JobObjectBasicProcessIdList, &list, sizeof memory, nullptr);
  if (!known && ::GetLastError() != ERROR_MORE_DATA) return {};
  std::vector<std::uint32_t> pids;
  for (DWORD i = 0; i < list.NumberOfProcessIdsInList; ++i) {
    pids.push_back(static_cast<std::uint32_t>(list.ProcessIdList[i]));
  }
  return pids;
}

}  // namespace

Result<LaunchPlan> Win32Applications::resolve(std::string_view command) {
  ASSIGN_OR_RETURN(auto words, split_words(command));
  if (auto program = find_program(words.front())) return LaunchPlan{std::move(*program), std::move(words)};
  return Error{Code::kNotFound, "launch " + escape_foreign(command) +
                                    ": no program in PATH, the system's directories or App Paths has this name" +
                                    did_you_mean(words.front(), known_programs())};
}

Result<std::uint32_t> Win32Applications::launch(const LaunchPlan& plan) {
  Followed followed;
  if (!is_console_program(plan.executable)) {
    ASSIGN_OR_RETURN(followed.output, ProgramOutput::open());
  }
  LaunchPlan complete = plan;
  if (complete.argv.empty()) complete.argv.push_back(plan.executable);
  ASSIGN_OR_RETURN(Started started, start(complete, followed.output ? &*followed.output : nullptr));
  if (followed.output) followed.output->close_writer();
  followed.process = std::move(started.process);
  followed.job = std::move(started.job);
  followed.since = clock_.now();
  followed.program.pid = started.pid;
  followed.program.pids = {started.pid};
  followed_.push_back(std::move(followed));
  if (followed_.size() > kMostFollowed) followed_.pop_front();
  return started.pid;
}

Result<RunDialog> Win32Applications::run_dialog(const LaunchPlan& plan) {
  // The path that was judged, and not the name, which the dialog would look up itself.
  std::vector<std::string> words{plan.executable};
  if (plan.argv.size() > 1) words.insert(words.end(), plan.argv.begin() + 1, plan.argv.end());
  std::string line = join_words(words);
  const auto refused = [&](const std::string& why) {
    return Error{Code::kInvalidArgument, "the Run dialog cannot start " + quote_foreign(line) + " exactly: " + why};
  };
  if (line.find('%') != std::string::npos) return refused("it replaces names between percent signs");
  if (std::ranges::any_of(line, [](unsigned char c) { return c < ' '; })) return refused("it takes one line");
  if (to_utf16(line).size() > kLongestInRunDialog) {
    return refused("it takes at most " + std::to_string(kLongestInRunDialog) + " characters");
  }
  wchar_t windows[MAX_PATH] = {};
  if (::GetWindowsDirectoryW(windows, MAX_PATH) == 0) return win32_error("find Explorer", ::GetLastError());
  return RunDialog{{"win", "r"}, to_utf8(windows) + "\\explorer.exe", std::move(line)};
}

void Win32Applications::look_at(Followed& followed) {
  LaunchedProgram& program = followed.program;
  const bool has_ended = ::WaitForSingleObject(followed.process.get(), 0) == WAIT_OBJECT_0;
  if (followed.job) program.pids = processes_of(followed.job.get());
  if (has_ended) std::erase(program.pids, program.pid);
  if (followed.output && has_ended) program.last_line = followed.output->last_line();
  if (!has_ended || program.ended) return;
  DWORD status = 0;
  ::GetExitCodeProcess(followed.process.get(), &status);
  program.exit_status = static_cast<int>(status);
  program.ended = true;
}

std::vector<std::string> Win32Applications::open_files(std::uint32_t pid, const std::set<std::uint32_t>& others) {
  return open_files_of(pid, others);
}

std::vector<LaunchedProgram> Win32Applications::launched() {
  const MonoTime now = clock_.now();
  std::erase_if(followed_, [&](const Followed& each) { return now - each.since > kFollowedFor; });
  std::vector<LaunchedProgram> programs;
  for (Followed& each : followed_) {
    look_at(each);
    programs.push_back(each.program);
  }
  return programs;
}

}  // namespace da::actuator::win32
