#include "tests/services/actuator/x11/test_session.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/os/process/pipe.h"

namespace da::actuator {
namespace {

std::string program(const std::string& name) {
  const std::string path = "/usr/bin/" + name;
  if (::access(path.c_str(), X_OK) != 0) throw std::runtime_error(path + " is not installed: this test needs it");
  return path;
}

std::string read_until(int fd, std::string_view end, Milliseconds patience) {
  std::string text;
  const MonoTime deadline = system_clock().now() + patience;
  while (end.empty() || text.find(end) == std::string::npos) {
    const auto left = std::chrono::ceil<Milliseconds>(deadline - system_clock().now()).count();
    pollfd waiting{fd, POLLIN, 0};
    if (left <= 0 || ::poll(&waiting, 1, static_cast<int>(left)) <= 0) break;
    char buffer[4096];
    const auto got = ::read(fd, buffer, sizeof(buffer));
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

std::vector<pid_t> adopted_children() {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ptr != name.data() + name.size()) continue;
    const std::string stat = read_file(entry.path() / "stat");
    const auto after_name = stat.rfind(") ");
    if (after_name == std::string::npos) continue;
    pid_t parent = 0;
    std::from_chars(stat.data() + after_name + 4, stat.data() + stat.size(), parent);
    if (parent == ::getpid()) found.push_back(pid);
  }
  return found;
}

// This process adopts the children of killed processes, so several rounds may be needed.
void end_adopted() {
  for (auto left = adopted_children(); !left.empty(); left = adopted_children()) {
    for (const pid_t pid : left) ::kill(pid, SIGKILL);
    for (const pid_t pid : left) ::waitpid(pid, nullptr, 0);
  }
}

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string read_file(const std::filesystem::path& path) {
  // Treats an error as the end of the file: files below /proc may vanish while they are read.
  const os::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string content;
  char buffer[4096];
  ssize_t got = 0;
  while (file && (got = ::read(file.get(), buffer, sizeof(buffer))) > 0)
    content.append(buffer, static_cast<std::size_t>(got));
  return content;
}

TestSession::TestSession(SessionBus bus, const char* size, const std::vector<std::string>& server_options)
    : home_(std::filesystem::temp_directory_path() / ("desktop-test-" + random_hex(8))) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::filesystem::create_directories(home_ / "run");
  std::filesystem::permissions(home_ / "run", std::filesystem::perms::owner_all);
  for (const char* inherited : {"DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "WAYLAND_DISPLAY", "XDG_DATA_HOME",
                                "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "NO_AT_BRIDGE"})
    ::unsetenv(inherited);
  ::setenv("HOME", home_.c_str(), 1);
  ::setenv("XDG_RUNTIME_DIR", (home_ / "run").c_str(), 1);
  ::setenv("LC_ALL", "C.UTF-8", 1);
  start_server(size, server_options);
  if (bus == SessionBus::kWith) start_bus();
  const auto ready = home_ / "openbox.ready";
  start_and_read_line({.program = program("openbox"),
                       .arguments = {"--startup", "touch '" + ready.string() + "'"},
                       .environment = os::current_environment()});
  auto opened = open_x11_desktop({.display = display_}, system_clock());
  if (!opened) throw std::runtime_error(opened.error().message);
  desktop_ = std::move(*opened);
  // It does not manage a window that is mapped before it runs its startup command.
  if (!eventually([&] { return std::filesystem::exists(ready); })) throw std::runtime_error("openbox did not start");
}

TestSession::~TestSession() {
  desktop_.reset();
  while (!children_.empty()) children_.pop_back();
  end_adopted();
  std::error_code ignored;
  std::filesystem::remove_all(home_, ignored);
}

void TestSession::start_server(const char* size, const std::vector<std::string>& options) {
  auto pipe = *os::make_pipe();
  const int end = pipe.writer.get();
  std::vector<std::string> arguments = {"-displayfd", std::to_string(end), "-screen", "0",
                                        size,         "-nolisten",         "tcp",     "-noreset"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  auto server = os::ChildProcess::start({.program = program("Xvfb"),
                                         .arguments = arguments,
                                         .environment = os::current_environment(),
                                         .inherited = {end}});
  if (!server) throw std::runtime_error(server.error().message);
  children_.push_back(std::move(*server));
  pipe.writer.reset();
  const std::string number = read_until(pipe.reader.get(), "\n", kPatience);
  if (number.empty()) throw std::runtime_error("Xvfb did not start");
  display_ = ":" + number.substr(0, number.find('\n'));
  ::setenv("DISPLAY", display_.c_str(), 1);
}

std::string TestSession::start_and_read_line(os::Command command) {
  auto pipe = *os::make_pipe();
  const bool wants_line = command.program.ends_with("dbus-daemon");
  if (wants_line) command.output = pipe.writer.get();
  auto child = os::ChildProcess::start(command);
  if (!child) throw std::runtime_error(child.error().message);
  children_.push_back(std::move(*child));
  pipe.writer.reset();
  if (!wants_line) return {};
  const std::string line = read_until(pipe.reader.get(), "\n", kPatience);
  return line.substr(0, line.find('\n'));
}

void TestSession::start_bus() {
  const std::string address = start_and_read_line({.program = program("dbus-daemon"),
                                                   .arguments = {"--session", "--nofork", "--print-address=1"},
                                                   .environment = os::current_environment()});
  if (address.empty()) throw std::runtime_error("dbus-daemon did not start");
  ::setenv("DBUS_SESSION_BUS_ADDRESS", address.c_str(), 1);
}

void TestSession::kill_server() {
  children_.front().send_signal(SIGKILL);
  (void)children_.front().wait(deadline());
}

bool TestSession::eventually(const std::function<bool()>& condition) {
  const MonoTime until = deadline();
  while (!condition()) {
    if (system_clock().now() >= until) return false;
    if (!desktop_->screen().wait_quiet(Milliseconds(20), system_clock().now() + Milliseconds(100))) return false;
  }
  return true;
}

std::optional<WindowInfo> TestSession::find_window(std::string_view title_part) {
  const auto windows = desktop_->windows().list();
  if (!windows) return std::nullopt;
  for (const WindowInfo& window : *windows)
    if (contains_ignoring_case(window.title, title_part)) return window;
  return std::nullopt;
}

WindowInfo TestSession::start(std::string_view command, std::string_view title_part) {
  const auto plan = desktop_->applications().resolve(command);
  if (!plan) throw std::runtime_error(plan.error().message);
  if (const auto pid = desktop_->applications().launch(*plan); !pid) throw std::runtime_error(pid.error().message);
  std::optional<WindowInfo> window;
  if (!eventually([&] { return (window = find_window(title_part)) && window->focused; }))
    throw std::runtime_error("no active window titled " + std::string(title_part));
  return *window;
}

std::string TestSession::output_of(const std::vector<std::string>& command) {
  auto run = os::run_to_end({.program = program(command.front()),
                             .arguments = {command.begin() + 1, command.end()},
                             .environment = os::current_environment()},
                            deadline());
  if (!run) throw std::runtime_error(run.error().message);
  while (run->output.ends_with('\n')) run->output.pop_back();
  return std::move(run->output);
}

void TestSession::run(const std::vector<std::string>& command) {
  auto child = os::ChildProcess::start({.program = program(command.front()),
                                        .arguments = {command.begin() + 1, command.end()},
                                        .environment = os::current_environment()});
  if (!child) throw std::runtime_error(child.error().message);
  (void)child->wait(deadline());
}

}  // namespace da::actuator
