// Simulates a compromised service. Loaded into the service (LD_PRELOAD), it waits until the service serves, which is
// when its main thread waits for long to be stopped, and then tries to access keys, other processes and the user's
// other services. Each attempt is a line on stderr:
//
//   taken over: read /run/.../console.identity.toml: refused (Permission denied)
//   taken over: trace process 4711: done
//
// TAKEN_OVER_READ and TAKEN_OVER_WRITE list files, TAKEN_OVER_CONNECT lists sockets (a path, or @ and an abstract
// name), all separated by colons; TAKEN_OVER_NEAR_PIDS is the number of process ids to try above and below its own. The
// last line is "taken over: that was all".
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

// A negative result with errno, as of a system call, is a refusal.
void report(const std::string& what, long result) {
  const int error = errno;
  const std::string line =
      "taken over: " + what + ": " + (result >= 0 ? "done" : std::string("refused (") + strerror(error) + ")") + "\n";
  static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
}

std::vector<std::string> listed(const char* variable) {
  std::vector<std::string> all;
  const char* value = std::getenv(variable);
  std::istringstream list(value == nullptr ? "" : value);
  for (std::string one; std::getline(list, one, ':');) all.push_back(one);
  return all;
}

long read_file(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return -1;
  struct stat info {};
  char byte = 0;
  const long result = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode) ? 0 : read(fd, &byte, 1);
  close(fd);
  return result;
}

long write_file(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
  return fd;
}

long connect_to(const std::string& place) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  place.copy(address.sun_path, sizeof address.sun_path - 1);
  if (place.starts_with('@')) address.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + place.size());
  const long result = connect(fd, reinterpret_cast<const sockaddr*>(&address), size);
  const int error = errno;
  close(fd);
  errno = error;
  return result;
}

long start_program() {
  const pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    execl("/bin/true", "true", nullptr);
    _exit(errno);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
  errno = WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
  return -1;
}

// Detaches again, for which the process must have stopped. A process that stays attached stops at its next signal.
long trace(pid_t pid) {
  const long result = ptrace(PTRACE_SEIZE, pid, nullptr, nullptr);
  if (result == 0 && ptrace(PTRACE_INTERRUPT, pid, nullptr, nullptr) == 0) {
    waitpid(pid, nullptr, __WALL);
    ptrace(PTRACE_DETACH, pid, nullptr, nullptr);
  }
  return result;
}

long read_memory(pid_t pid) {
  char here = 0;
  const iovec local{&here, 1};
  // Any remote address will do: EFAULT means that the access was allowed.
  const iovec remote{reinterpret_cast<void*>(&read_memory), 1};
  const long result = process_vm_readv(pid, &local, 1, &remote, 1, 0);
  return result < 0 && errno == EFAULT ? 0 : result;
}

long take_descriptor(pid_t pid) {
  const long process = syscall(SYS_pidfd_open, pid, 0);
  if (process < 0) return -1;
  const long result = syscall(SYS_pidfd_getfd, process, 0, 0);
  const int error = errno;
  close(static_cast<int>(process));
  errno = error;
  return result;
}

long own_descriptor(pid_t pid) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const long result = fcntl(ends[0], F_SETOWN, pid);
  const int error = errno;
  close(ends[0]);
  close(ends[1]);
  errno = error;
  return result;
}

void attack_process(pid_t pid) {
  const std::string number = std::to_string(pid);
  report("list the descriptors of process " + number, read_file("/proc/" + number + "/fd"));
  report("read the environment of process " + number, read_file("/proc/" + number + "/environ"));
  report("open the memory of process " + number, read_file("/proc/" + number + "/mem"));
  report("read the memory of process " + number, read_memory(pid));
  report("trace process " + number, trace(pid));
  report("take a descriptor of process " + number, take_descriptor(pid));
  report("signal process " + number, kill(pid, 0));
  rlimit limit{};
  report("read the limits of process " + number, prlimit(pid, RLIMIT_NOFILE, nullptr, &limit));
  report("have process " + number + " signalled by a descriptor", own_descriptor(pid));
}

// Each changes a property, and sets the same value again, so that the test can go on.
void attack_properties(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return report("look at " + path, -1);
  const mode_t mode = info.st_mode & 07777;
  report("change the mode of " + path, chmod(path.c_str(), mode));
  report("change the mode of " + path + " by fchmodat2", syscall(452, AT_FDCWD, path.c_str(), mode, 0));
  report("change the owner of " + path, chown(path.c_str(), info.st_uid, info.st_gid));
  const timespec times[2] = {info.st_atim, info.st_mtim};
  report("change the times of " + path, utimensat(AT_FDCWD, path.c_str(), times, 0));
  report("change an attribute of " + path, setxattr(path.c_str(), "user.taken", "x", 1, 0));
  const int watch = inotify_init1(IN_CLOEXEC);
  report("watch " + path, watch < 0 ? -1 : inotify_add_watch(watch, path.c_str(), IN_ALL_EVENTS));
  if (watch >= 0) close(watch);
}

// A namespace of users by other calls than unshare().
void attack_namespaces() {
  const auto clone_one = [](const char* name, long child) {
    if (child == 0) _exit(0);
    report(name, child);
    if (child > 0) waitpid(static_cast<pid_t>(child), nullptr, 0);
  };
  clone_one("make a namespace by clone",
            syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  struct {
    std::uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
  } arguments{.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
  clone_one("make a namespace by clone3", syscall(SYS_clone3, &arguments, sizeof arguments));
}

// Only root may do these, and so may a service that root has started and that kept its capabilities.
void attack_machine() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  report("set the clock", clock_settime(CLOCK_REALTIME, &now));
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  report("set the host's name", sethostname(name, std::strlen(name)));
  report("read the kernel's log", klogctl(3 /* SYSLOG_ACTION_READ_ALL */, name, 1));
  // The system call changes this thread alone.
  const uid_t user = getuid();
  report("become another user", syscall(SYS_setresuid, -1, user == 0 ? 65534 : 0, -1));
  static_cast<void>(syscall(SYS_setresuid, -1, user, -1));
  report("make a raw socket", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  report("have a capability", prctl(PR_CAPBSET_READ, 21 /* CAP_SYS_ADMIN */) == 1 ? 0 : (errno = EPERM, -1));
}

void attack() {
  for (const std::string& path : listed("TAKEN_OVER_READ")) report("read " + path, read_file(path));
  for (const std::string& path : listed("TAKEN_OVER_WRITE")) {
    report("write " + path, write_file(path));
    attack_properties(path);
  }
  for (const std::string& place : listed("TAKEN_OVER_CONNECT")) report("connect to " + place, connect_to(place));
  report("start a program", start_program());
  for (const auto& [name, family] : {std::pair("packet", AF_PACKET), {"vsock", AF_VSOCK}, {"alg", AF_ALG}}) {
    report(std::string("make a socket of the family ") + name, socket(family, SOCK_DGRAM, 0));
  }
  report("make a TCP socket", socket(AF_INET, SOCK_STREAM, 0));
  // One of the two could send to any socket that another program has bound.
  int ends[2];
  report("make a pair of datagram sockets", socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
  report("make a pair of packet sockets", socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends));
  report("type into a terminal", ioctl(STDERR_FILENO, TIOCSTI, "x"));
  attack_namespaces();
  attack_machine();
  report("make a namespace", unshare(CLONE_NEWUSER));
  report("make shared memory", shmget(IPC_PRIVATE, 4096, 0600));
  report("use io_uring", syscall(SYS_io_uring_setup, 1, nullptr));
  const char* near = std::getenv("TAKEN_OVER_NEAR_PIDS");
  const int reach = near == nullptr ? 0 : std::atoi(near);
  for (pid_t pid = getpid() - reach; pid <= getpid() + reach; ++pid) {
    // Some of these ids are threads.
    if (pid > 1 && pid != getpid()) attack_process(pid);
  }
  report("be seen by other processes", prctl(PR_GET_DUMPABLE) == 0 ? (errno = EPERM, -1) : 0);
  std::fputs("taken over: that was all\n", stderr);
}

}  // namespace

// While a service still connects to others, it asks for a moment only whether it has been stopped.
extern "C" int poll(pollfd* descriptors, nfds_t count, int milliseconds) {
  static bool done = false;
  const bool serves = gettid() == getpid() && count == 2 && milliseconds >= 1000;
  if (serves && !std::exchange(done, true)) attack();
  const auto real = reinterpret_cast<decltype(&poll)>(dlsym(RTLD_NEXT, "poll"));
  return real(descriptors, count, milliseconds);
}
