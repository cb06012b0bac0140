#include "services/actuator/installation/install_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "lib/base/path_text.h"
#include "lib/os/files/file_access_win32.h"
#include "lib/os/process/environment.h"
#include "lib/os/win32.h"
#include "services/actuator/desktop/win32/applications/win32_command_line.h"
#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/installation/install_plan.h"

// Needs windows.h before it.
#include <wtsapi32.h>

namespace da::actuator {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

Result<std::string> of_session(WTS_INFO_CLASS what) {
  wchar_t* text = nullptr;
  DWORD bytes = 0;
  if (::WTSQuerySessionInformationW(WTS_CURRENT_SERVER_HANDLE, WTS_CURRENT_SESSION, what, &text, &bytes) == 0) {
    return os::windows_error("find the user of this session", ::GetLastError());
  }
  std::string found = os::narrow(text);
  ::WTSFreeMemory(text);
  return found;
}

// Who has logged on. The administrator of an elevated command prompt may be somebody else.
Result<std::string> session_user() {
  ASSIGN_OR_RETURN(const std::string domain, of_session(WTSDomainName));
  ASSIGN_OR_RETURN(const std::string name, of_session(WTSUserName));
  if (name.empty()) return Error{Code::kFailedPrecondition, "nobody has logged on to this session: use the user's own"};
  return domain.empty() ? name : domain + "\\" + name;
}

Result<std::string> own_path() {
  std::wstring path(32'768, L'\0');
  const DWORD size = ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
  if (size == 0 || size >= path.size()) return os::windows_error("find this program's path", ::GetLastError());
  path.resize(size);
  return os::narrow(path);
}

Result<std::string> system_program(const std::string& name) {
  std::wstring directory(MAX_PATH, L'\0');
  const UINT size = ::GetSystemDirectoryW(directory.data(), static_cast<UINT>(directory.size()));
  if (size == 0 || size >= directory.size()) return os::windows_error("find System32", ::GetLastError());
  directory.resize(size);
  return os::narrow(directory) + "\\" + name;
}

// Its output goes to our console.
Result<void> run(const SystemCommand& command) {
  ASSIGN_OR_RETURN(const std::string program, system_program(command.words[0]));
  std::wstring line = os::wide(win32::join_words(command.words));
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  PROCESS_INFORMATION info{};
  if (::CreateProcessW(os::wide(program).c_str(), line.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &startup,
                       &info) == 0) {
    return os::windows_error("start " + program, ::GetLastError());
  }
  const os::UniqueWinHandle thread(info.hThread);
  const os::UniqueWinHandle process(info.hProcess);
  ::WaitForSingleObject(process.get(), INFINITE);
  DWORD exit_code = 1;
  ::GetExitCodeProcess(process.get(), &exit_code);
  if (exit_code == 0 || command.may_fail) return ok();
  return Error{Code::kInternal,
               command.words[0] + " failed with " + std::to_string(exit_code) + "; its message is above"};
}

Result<void> run_all(const std::vector<SystemCommand>& commands, bool dry_run) {
  if (!dry_run && !win32::is_elevated()) {
    return Error{
        Code::kPermissionDenied,
        "tasks and firewall rules need rights of an administrator: use a command prompt that was opened by \"Run "
        "as administrator\"; --dry-run only shows the commands"};
  }
  for (const SystemCommand& command : commands) {
    std::cout << win32::join_words(command.words) << std::endl;
    if (!dry_run) RETURN_IF_ERROR(run(command));
  }
  return ok();
}

// Exists while it is in scope.
class TaskFile {
 public:
  static Result<TaskFile> write(const std::filesystem::path& path, const std::string& xml) {
    const std::wstring text = L"\ufeff" + os::wide(xml);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(text.data()), static_cast<std::streamsize>(text.size() * sizeof(wchar_t)));
    file.close();
    if (!file) return Error{Code::kInternal, "cannot write " + text_of(path)};
    return TaskFile(path);
  }
  TaskFile(TaskFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TaskFile& operator=(TaskFile&&) = delete;
  ~TaskFile() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }

 private:
  explicit TaskFile(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// These files decide what the program does with an administrator's rights.
Result<void> check_owners(const InstallPlan& plan, const service::Config& config, bool dry_run) {
  // The program starts the guardian.
  const auto guardian = path_of(plan.executable).parent_path() / L"da-guardian.exe";
  std::vector<std::filesystem::path> files = {path_of(plan.executable), guardian, path_of(plan.config_file)};
  for (const char* key : {"peers.file", "actuator.masks"}) {
    ASSIGN_OR_RETURN(const auto file, config.find_path(key));
    if (file) files.push_back(*file);
  }
  for (const auto& file : files) {
    const auto checked = os::check_only_administrators_change(file);
    if (checked) continue;
    if (checked.error().code != Code::kPermissionDenied) return checked.error();
    const std::string why = checked.error().message +
                            ", who would get an administrator's rights with --highest: install the programs and the "
                            "configuration where only administrators can write, such as C:\\Program Files";
    if (!dry_run) return Error{Code::kPermissionDenied, why};
    std::cerr << "would be refused: " << why << std::endl;
  }
  return ok();
}

Result<void> install(const std::string& config_file, Rights rights, bool dry_run) {
  std::error_code error;
  const auto config_path = std::filesystem::absolute(path_of(config_file), error);
  if (error) return Error{Code::kInvalidArgument, config_file + ": " + error.message()};
  ASSIGN_OR_RETURN(const auto config, service::Config::load(config_path));
  InstallPlan plan{.config_file = text_of(config_path), .rights = rights};
  ASSIGN_OR_RETURN(plan.listening, listening_of(config));
  ASSIGN_OR_RETURN(plan.executable, own_path());
  ASSIGN_OR_RETURN(plan.user, session_user());
  if (rights == Rights::kHighest) RETURN_IF_ERROR(check_owners(plan, config, dry_run));
  // The file lies beside the program: who could replace it there could replace the program as well.
  const auto task_path = path_of(plan.executable).parent_path() / L"da-actuator-task.xml";
  const auto commands = install_commands(plan, text_of(task_path));
  if (dry_run) {
    std::cout << task_xml(plan) << std::endl;
    return run_all(commands, dry_run);
  }
  ASSIGN_OR_RETURN(const auto task, TaskFile::write(task_path, task_xml(plan)));
  RETURN_IF_ERROR(run_all(commands, dry_run));
  std::cout << "Installed. It starts when " << plan.user << " logs on; to start it now: schtasks /Run /TN \""
            << kInstallationName << "\"" << std::endl;
  return ok();
}

}  // namespace

std::string install_help() {
  return "da-actuator install --config FILE [--highest] [--dry-run]   starts it when this user logs on; opens its "
         "ports\n"
         "da-actuator uninstall [--dry-run]                           removes both";
}

std::optional<int> run_install_command(int argc, char** argv) {
  auto arguments = os::program_arguments(argc, argv);
  if (arguments.empty() || (arguments[0] != "install" && arguments[0] != "uninstall")) return std::nullopt;
  std::string config_file;
  bool highest = false;
  bool dry_run = false;
  CLI::App app("Installs or removes the actuator for this user.", "da-actuator");
  auto* install_app =
      app.add_subcommand("install", "start the actuator when this user logs on, and open its ports in the firewall");
  install_app->add_option("--config", config_file, "configuration, from da-console init")->required();
  install_app->add_flag("--highest", highest, "run as administrator, to use windows of administrators' programs too");
  install_app->add_flag("--dry-run", dry_run, "only show the task and the commands");
  auto* uninstall_app = app.add_subcommand("uninstall", "end the actuator, and remove its task and its firewall rule");
  uninstall_app->add_flag("--dry-run", dry_run, "only show the commands");
  app.require_subcommand(1);
  try {
    std::ranges::reverse(arguments);  // CLI11 takes the last argument first.
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kBadUsage;
  }
  const auto done = uninstall_app->parsed()
                        ? run_all(uninstall_commands(), dry_run)
                        : install(config_file, highest ? Rights::kHighest : Rights::kOfUser, dry_run);
  if (done) return 0;
  std::cerr << "da-actuator: " << done.error().message << std::endl;
  return kFailed;
}

}  // namespace da::actuator
