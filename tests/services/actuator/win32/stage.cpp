#include "tests/services/actuator/win32/stage.h"

#include <windows.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/windows/window_facts.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kBetweenLooks{10};

std::filesystem::path own_directory() {
  wchar_t path[MAX_PATH] = {};
  ::GetModuleFileNameW(nullptr, path, MAX_PATH);
  return std::filesystem::path(path).parent_path();
}

std::filesystem::path new_directory() {
  static int count = 0;
  wchar_t temporary[MAX_PATH] = {};
  ::GetTempPathW(MAX_PATH, temporary);
  // A name that the ANSI code page cannot express.
  auto path = std::filesystem::path(temporary) /
              (L"da 漢 " + std::to_wstring(::GetCurrentProcessId()) + L"-" + std::to_wstring(++count));
  std::filesystem::create_directories(path);
  return path;
}

std::string utf8(const std::filesystem::path& path) { return win32::to_utf8(path.wstring()); }

}  // namespace

Stage::Stage() : directory_(new_directory()) {
  auto opened = open_win32_desktop(system_clock(), Win32Use::kDrive, guardian());
  if (!opened) {
    ADD_FAILURE() << opened.error().message;
    std::abort();
  }
  desktop_ = *std::move(opened);
}

Stage::~Stage() {
  end_programs();
  desktop_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

void Stage::end_programs() {
  auto pids = left_running_;
  for (const LaunchedProgram& program : desktop_->applications().launched()) {
    pids.insert(pids.end(), program.pids.begin(), program.pids.end());
  }
  for (const std::uint32_t pid : pids) {
    const auto process = win32::RunningProcess::open(pid, win32::start_of(pid));
    if (process) (void)process->kill(deadline(), system_clock());
  }
}

std::string Stage::guardian() const { return utf8(own_directory().parent_path() / "bin" / "da-guardian.exe"); }

void Stage::let_another_drive() {
  for (const LaunchedProgram& program : desktop_->applications().launched()) {
    left_running_.insert(left_running_.end(), program.pids.begin(), program.pids.end());
  }
  desktop_.reset();
  desktop_ = *open_win32_desktop(system_clock(), Win32Use::kExamine);
}

std::uint32_t Stage::start_beside(std::string_view program, const std::vector<std::string>& words) {
  const std::string path = utf8(own_directory() / std::string(program));
  std::vector<std::string> argv{path};
  argv.insert(argv.end(), words.begin(), words.end());
  const auto pid = desktop_->applications().launch({path, argv});
  EXPECT_TRUE(pid) << pid.error().message;
  return pid.value_or(0);
}

bool Stage::eventually(const std::function<bool()>& condition) const {
  const MonoTime end = deadline();
  while (!condition()) {
    if (system_clock().now() >= end) return false;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return true;
}

std::optional<WindowInfo> Stage::find_window(std::string_view title_part, std::uint32_t pid) {
  const auto windows = desktop_->windows().list();
  if (!windows) return std::nullopt;
  for (const WindowInfo& window : *windows) {
    const bool is_of_process = pid == 0 || window.pid == pid;
    if (is_of_process && window.title.find(title_part) != std::string::npos) return window;
  }
  return std::nullopt;
}

std::optional<WindowInfo> Stage::window_now(const std::string& id) {
  const auto windows = desktop_->windows().list();
  if (!windows) return std::nullopt;
  const auto found = std::ranges::find(*windows, id, &WindowInfo::id);
  return found != windows->end() ? std::optional(*found) : std::nullopt;
}

WindowInfo Stage::start(const std::string& command, std::string_view title_part) {
  const auto plan = desktop_->applications().resolve(command);
  EXPECT_TRUE(plan) << plan.error().message;
  if (!plan) return {};
  const auto pid = desktop_->applications().launch(*plan);
  EXPECT_TRUE(pid) << pid.error().message;
  std::optional<WindowInfo> window;
  EXPECT_TRUE(eventually([&] {
    window = find_window(title_part, pid.value_or(0));
    return window && window->focused;
  })) << title_part;
  return window.value_or(WindowInfo());
}

std::string Stage::target_command(std::string_view mode) const {
  return "\"" + utf8(own_directory() / "win32_target.exe") + "\" \"" + utf8(file("log")) + "\" " + std::string(mode);
}

WindowInfo Stage::start_target(std::string_view mode) {
  const WindowInfo window = start(target_command(mode), "Target é " + std::string(mode));
  // The first paint and the window manager's last move are over.
  (void)desktop_->screen().wait_quiet(Milliseconds(200), deadline());
  return window_now(window.id).value_or(window);
}

WindowInfo Stage::start_hung_target() {
  const WindowInfo window = start(target_command("hang"), "Target é hang");
  const HWND handle = *win32::window_of_id(window.id);
  DWORD_PTR answer = 0;
  EXPECT_TRUE(eventually([&] { return !::SendMessageTimeoutW(handle, WM_NULL, 0, 0, SMTO_NORMAL, 100, &answer); }));
  return window;
}

std::vector<std::string> Stage::events(std::string_view letters) const {
  std::istringstream log(read_file(file("log")));
  std::vector<std::string> found;
  for (std::string line; std::getline(log, line);) {
    if (!line.empty() && letters.find(line.front()) != std::string_view::npos) found.push_back(line);
  }
  return found;
}

void Stage::forget_events() { std::ofstream(file("log"), std::ios::trunc); }

bool has_xdotool() { return ::GetFileAttributesW(L"Z:\\usr\\bin\\xdotool") != INVALID_FILE_ATTRIBUTES; }

void xdotool(const std::string& words) {
  std::wstring command = L"Z:\\usr\\bin\\xdotool " + win32::to_utf16(words);
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  PROCESS_INFORMATION info{};
  ASSERT_TRUE(::CreateProcessW(L"Z:\\usr\\bin\\xdotool", command.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr,
                               &startup, &info))
      << ::GetLastError();
  if (info.hProcess != nullptr) ::CloseHandle(info.hProcess);
  if (info.hThread != nullptr) ::CloseHandle(info.hThread);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

}  // namespace da::actuator
