#include "services/actuator/desktop/x11/applications/posix_process.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <filesystem>

#include "lib/os/files/files.h"
#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {
namespace {

std::string proc(std::uint32_t pid, std::string_view file) {
  return "/proc/" + std::to_string(pid) + "/" + std::string(file);
}

// The number after "name:" in a file of "name:\tvalue" lines.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view name) {
  const auto at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + name.size());
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// Fields 3 and on. The program's name before them is in parentheses and may contain any character.
std::string_view behind_name(std::string_view stat) {
  const auto at = stat.rfind(')');
  return at == std::string_view::npos ? std::string_view() : stat.substr(std::min(at + 2, stat.size()));
}

std::string_view field(std::string_view fields, int number) {
  for (; number > 0; --number) {
    const auto space = fields.find(' ');
    if (space == std::string_view::npos) return {};
    fields.remove_prefix(space + 1);
  }
  return fields.substr(0, fields.find(' '));
}

template <class Number>
Number number_in(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::optional<ProcessInfo> info_of(std::uint32_t pid) {
  constexpr int kState = 0, kParent = 1;
  const std::string stat = content_of(proc(pid, "stat"));
  const std::string_view fields = behind_name(stat);
  if (fields.empty()) return std::nullopt;
  return ProcessInfo{pid, number_in<std::uint32_t>(field(fields, kParent)), field(fields, kState) == "Z"};
}

}  // namespace

std::string content_of(const std::filesystem::path& proc_file) { return os::read_file(proc_file).value_or(""); }

bool descends_from(std::uint32_t pid, std::uint32_t program) {
  constexpr int kMostAncestors = 64;
  for (int level = 0; level < kMostAncestors && pid > 1; ++level) {
    if (pid == program) return true;
    const auto info = info_of(pid);
    if (!info) return false;
    pid = info->parent;
  }
  return false;
}

const std::vector<std::uint32_t>& own_ancestors() {
  static const std::vector<std::uint32_t> ancestors = [] {
    std::vector<std::uint32_t> all;
    for (auto info = info_of(static_cast<std::uint32_t>(::getpid())); info && info->parent > 1;) {
      all.push_back(info->parent);
      info = info_of(info->parent);
    }
    return all;
  }();
  return ancestors;
}

bool may_be_started_by(std::uint32_t pid, std::uint32_t program) {
  constexpr auto kServices = std::to_array<std::string_view>(
      {"systemd", "init", "dbus-daemon", "dbus-broker", "kdeinit5", "klauncher", "kioslave5", "da-launcher"});
  const auto info = info_of(pid);
  if (!info || info->parent <= 1 || descends_from(pid, program)) return true;
  const std::string name = std::filesystem::path(executable_of(info->parent)).filename().string();
  return name.empty() || std::ranges::find(kServices, name) != kServices.end();
}

std::vector<std::uint32_t> family_of(std::uint32_t pid, const std::set<std::uint32_t>& without) {
  const auto processes = list_processes();
  std::vector<std::uint32_t> family = {pid};
  for (std::size_t i = 0; i < family.size(); ++i) {
    for (const ProcessInfo& process : processes) {
      const bool known = without.contains(process.pid) || std::ranges::find(family, process.pid) != family.end();
      if (process.parent == family[i] && !process.zombie && !known) family.push_back(process.pid);
    }
  }
  return family;
}

std::vector<ProcessInfo> list_processes() {
  std::vector<ProcessInfo> all;
  std::error_code failed;
  std::filesystem::directory_iterator entry("/proc", failed);
  for (const std::filesystem::directory_iterator end; !failed && entry != end; entry.increment(failed)) {
    const auto pid = number_in<std::uint32_t>(entry->path().filename().string());
    if (pid == 0) continue;
    if (auto info = info_of(pid)) all.push_back(*info);
  }
  return all;
}

std::optional<Activity> activity_of(std::uint32_t pid) {
  if (pid == 0) return std::nullopt;
  Activity all{true, 0};
  std::error_code failed;
  std::filesystem::directory_iterator thread(proc(pid, "task"), failed);
  for (const std::filesystem::directory_iterator end; !failed && thread != end; thread.increment(failed)) {
    const std::string status = content_of(thread->path() / "status");
    const auto own = number_after(status, "\nvoluntary_ctxt_switches:");
    const auto forced = number_after(status, "\nnonvoluntary_ctxt_switches:");
    if (!own || !forced) return std::nullopt;
    all.switches += *own + *forced;
    all.asleep = all.asleep && status.find("\nState:\tS") != std::string::npos;
  }
  return failed ? std::nullopt : std::optional(all);
}

std::optional<Activity> activity_of_family(std::uint32_t pid) {
  Activity all{true, 0};
  for (const std::uint32_t member : family_of(pid)) {
    const auto own = activity_of(member);
    if (!own && member == pid) return std::nullopt;
    if (!own) continue;  // Ended meanwhile.
    all.asleep = all.asleep && own->asleep;
    all.switches += own->switches;
  }
  return all;
}

bool family_sleeps_at_least(std::uint32_t pid, Milliseconds limit) {
  return std::ranges::all_of(family_of(pid), [&](std::uint32_t member) { return sleeps_at_least(member, limit); });
}

std::string executable_of(std::uint32_t pid) {
  if (pid == 0) return {};
  std::error_code failed;
  const auto path = std::filesystem::read_symlink(proc(pid, "exe"), failed);
  return failed ? std::string() : path.string();
}

std::uint64_t start_of(std::uint32_t pid) {
  if (pid == 0) return 0;
  constexpr int kStart = 19;
  const std::string stat = content_of(proc(pid, "stat"));
  return number_in<std::uint64_t>(field(behind_name(stat), kStart));
}

std::optional<Milliseconds> age_of(std::uint32_t pid) {
  const std::uint64_t start = start_of(pid);
  timespec now{};
  if (start == 0 || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0) return std::nullopt;
  const auto since_boot = std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
  const auto began = Milliseconds(1'000 * start / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK)));
  return std::max(Milliseconds(0), std::chrono::duration_cast<Milliseconds>(since_boot) - began);
}

bool is_known_as(std::uint32_t pid, std::uint32_t number) {
  if (pid == 0 || number == 0) return false;
  if (pid == number) return true;
  constexpr std::string_view kNumbers = "\nNSpid:";
  const std::string status = content_of(proc(pid, "status"));
  const auto at = status.find(kNumbers);
  if (at == std::string::npos) return false;
  std::string_view line = std::string_view(status).substr(at + kNumbers.size());
  line = line.substr(0, line.find('\n'));
  while (!line.empty()) {
    line.remove_prefix(std::min(line.find_first_of("0123456789"), line.size()));
    const auto end = std::min(line.find_first_not_of("0123456789"), line.size());
    if (end > 0 && number_in<std::uint32_t>(line.substr(0, end)) == number) return true;
    line.remove_prefix(end);
  }
  return false;
}

Result<void> kill_process(std::uint32_t pid, std::uint64_t process_start, MonoTime deadline, const Clock& clock) {
  const std::string name = "process " + std::to_string(pid);
  if (pid <= 1 || pid == static_cast<std::uint32_t>(::getpid()))
    return Error{Code::kInvalidArgument, "terminate " + name + ": refusing to end init or this process"};
  const os::UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0)));
  if (!process) {
    if (errno == ESRCH) return Error{Code::kNotFound, "terminate " + name + ": there is no such process"};
    return posix_error("terminate " + name, errno);
  }
  // Checked after pidfd_open: the descriptor can no longer refer to another process.
  if (start_of(pid) != process_start)
    return Error{Code::kNotFound, "terminate " + name + ": another process has this pid now"};
  if (::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) != 0) {
    if (errno == ESRCH) return ok();
    return posix_error("terminate " + name, errno);
  }
  for (;;) {
    const int timeout = poll_timeout(clock, deadline);
    pollfd gone{process.get(), POLLIN, 0};
    const int ready = ::poll(&gone, 1, timeout);
    if (ready > 0) return ok();
    if (ready < 0 && errno != EINTR) return posix_error("wait for the end of " + name, errno);
    if (timeout == 0) return Error{Code::kDeadlineExceeded, "terminate " + name + ": killed, but still there"};
  }
}

}  // namespace da::actuator::x11
