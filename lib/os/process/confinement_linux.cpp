#include "lib/os/process/confinement.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <initializer_list>
#include <memory>

#include "lib/os/process/landlock.h"

namespace da::os {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // At exit, LeakSanitizer checks the process from a thread that traces it.
#else
constexpr bool kSanitized = false;
#endif

// The system calls that planner, observer, recorder and their libraries make, and the nearest relatives of each, which
// another version of a library may prefer. All others fail with EPERM. tests/attack/system_calls_test.py traces the
// services and tells what is missing here.
constexpr std::array kAllowed = {
    // Memory.
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise),
    SCMP_SYS(msync), SCMP_SYS(mlock), SCMP_SYS(mlock2), SCMP_SYS(munlock), SCMP_SYS(membarrier),
    // Threads, and children without a namespace of their own (see allow_threads()).
    SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(futex), SCMP_SYS(futex_waitv), SCMP_SYS(set_robust_list),
    SCMP_SYS(get_robust_list), SCMP_SYS(rseq), SCMP_SYS(set_tid_address), SCMP_SYS(arch_prctl), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_getattr),
    SCMP_SYS(sched_get_priority_min), SCMP_SYS(sched_get_priority_max), SCMP_SYS(wait4), SCMP_SYS(waitid),
    SCMP_SYS(restart_syscall),
    // Signals to the process itself.
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigsuspend), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sigaltstack), SCMP_SYS(signalfd4), SCMP_SYS(pause),
    // Reading clocks, and waiting.
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime),
    SCMP_SYS(timerfd_gettime), SCMP_SYS(epoll_create), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_pwait2), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(eventfd), SCMP_SYS(eventfd2),
    // Descriptors and files, where Landlock limits which.
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(pread64), SCMP_SYS(pwrite64),
    SCMP_SYS(preadv), SCMP_SYS(pwritev), SCMP_SYS(preadv2), SCMP_SYS(pwritev2), SCMP_SYS(sendfile),
    SCMP_SYS(copy_file_range), SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(creat), SCMP_SYS(close),
    SCMP_SYS(close_range), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(pipe), SCMP_SYS(pipe2),
    SCMP_SYS(lseek), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(statx),
    SCMP_SYS(statfs), SCMP_SYS(fstatfs), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
    SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getdents64), SCMP_SYS(getcwd), SCMP_SYS(flock), SCMP_SYS(fsync),
    SCMP_SYS(fdatasync), SCMP_SYS(sync_file_range), SCMP_SYS(ftruncate), SCMP_SYS(fallocate), SCMP_SYS(fadvise64),
    SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat), SCMP_SYS(rmdir), SCMP_SYS(umask), SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1),
    SCMP_SYS(inotify_add_watch), SCMP_SYS(inotify_rm_watch),
    // Sockets (see allow_sockets()).
    SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(connect), SCMP_SYS(shutdown),
    SCMP_SYS(getsockname), SCMP_SYS(getpeername), SCMP_SYS(getsockopt), SCMP_SYS(setsockopt), SCMP_SYS(sendto),
    SCMP_SYS(recvfrom), SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(sendmmsg), SCMP_SYS(recvmmsg),
    // Reading facts about the process and the machine.
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
    SCMP_SYS(getegid), SCMP_SYS(getresuid), SCMP_SYS(getresgid), SCMP_SYS(getgroups), SCMP_SYS(getrlimit),
    SCMP_SYS(setrlimit), SCMP_SYS(getrusage), SCMP_SYS(getcpu), SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(getrandom),
    // Giving up more rights.
    SCMP_SYS(seccomp), SCMP_SYS(landlock_create_ruleset), SCMP_SYS(landlock_add_rule),
    SCMP_SYS(landlock_restrict_self)};

// The sanitizers' own threads need these, also at the end of the process.
constexpr std::array kAllowedToSanitizers = {
    SCMP_SYS(execve), SCMP_SYS(personality), SCMP_SYS(ptrace),    SCMP_SYS(kill),  SCMP_SYS(tgkill),
    SCMP_SYS(tkill),  SCMP_SYS(prctl),       SCMP_SYS(prlimit64), SCMP_SYS(fcntl), SCMP_SYS(ioctl)};

constexpr std::array kPrctlOptions = {PR_SET_NAME,         PR_GET_NAME,        PR_GET_DUMPABLE, PR_SET_PDEATHSIG,
                                      PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP,     PR_GET_SECCOMP,  PR_CAPBSET_READ,
                                      PR_SET_VMA,          PR_GET_NO_NEW_PRIVS};
// Not the owner of a descriptor, to whom the kernel would send any signal, and not the watch of a directory.
constexpr std::array kFcntlCommands = {F_DUPFD,     F_DUPFD_CLOEXEC, F_GETFD,      F_SETFD,      F_GETFL,
                                       F_SETFL,     F_GETLK,         F_SETLK,      F_SETLKW,     F_OFD_GETLK,
                                       F_OFD_SETLK, F_OFD_SETLKW,    F_GETPIPE_SZ, F_SETPIPE_SZ, F_GET_SEALS};
// Not those that type keys into a terminal, change a console, or set the owner of a socket.
constexpr std::array kIoctlRequests = {TCGETS, TIOCGWINSZ, FIONBIO, FIONREAD, FIOCLEX, FIONCLEX};

constexpr std::uint64_t kNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

// A system call whose argument meets the comparison.
struct Condition {
  int call;
  scmp_arg_cmp argument;
};

// Applies to all threads. Of several filters in one process, the strictest decides about each call.
class Filter {
 public:
  static Filter that_allows_the_rest() { return Filter(SCMP_ACT_ALLOW); }
  static Filter that_refuses_the_rest() { return Filter(kRefusal); }

  void allow(int call) { note(seccomp_rule_add_array(get(), SCMP_ACT_ALLOW, call, 0, nullptr)); }
  void allow(const Condition& one) { note(seccomp_rule_add_array(get(), SCMP_ACT_ALLOW, one.call, 1, &one.argument)); }
  void allow(int call, std::initializer_list<scmp_arg_cmp> all) {
    note(seccomp_rule_add_array(get(), SCMP_ACT_ALLOW, call, static_cast<unsigned>(all.size()), all.begin()));
  }
  void refuse(int call) { note(seccomp_rule_add_array(get(), kRefusal, call, 0, nullptr)); }
  // The C library then uses an older call.
  void pretend_missing(int call) { note(seccomp_rule_add_array(get(), SCMP_ACT_ERRNO(ENOSYS), call, 0, nullptr)); }
  void refuse(const Condition& one) { note(seccomp_rule_add_array(get(), kRefusal, one.call, 1, &one.argument)); }

  Result<void> load() {
    if (problem_ == 0) note(seccomp_load(get()));
    if (problem_ == 0) return ok();
    return posix_error("restrict system calls", -problem_);
  }

 private:
  static constexpr std::uint32_t kRefusal = SCMP_ACT_ERRNO(EPERM);

  explicit Filter(std::uint32_t otherwise) : context_(seccomp_init(otherwise)) {
    if (context_) note(seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_TSYNC, 1));
  }

  struct Release {
    void operator()(scmp_filter_ctx context) const { seccomp_release(context); }
  };

  scmp_filter_ctx get() { return context_.get(); }
  void note(int result) {
    // EDOM: the machine's architecture has no such call. EEXIST: a rule for all its arguments is there.
    if (result != 0 && result != -EDOM && result != -EEXIST && problem_ == 0) problem_ = result;
  }

  std::unique_ptr<void, Release> context_;
  int problem_ = 0;
};

// A process that root has started has them.
Result<void> drop_capabilities() {
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    // EPERM: it has none that it could drop.
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM)
      return posix_error("drop a capability", errno);
  }
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capset, &header, none) != 0) return posix_error("drop the capabilities", errno);
  return ok();
}

// Compares the lower 32 bits, because the kernel reads no more of an int argument.
scmp_arg_cmp is(unsigned argument, std::int64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, 0xffffffffu, static_cast<std::uint64_t>(value) & 0xffffffffu};
}

// A new namespace would give all capabilities in it. The arguments of clone3 lie in memory, where a filter cannot see
// them.
void allow_threads(Filter& filter) {
  filter.allow({SCMP_SYS(clone), {0, SCMP_CMP_MASKED_EQ, kNamespaces, 0}});
  filter.pretend_missing(SCMP_SYS(clone3));
  // 0 names the caller itself.
  for (const int call :
       {SCMP_SYS(prlimit64), SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setattr), SCMP_SYS(sched_setparam)}) {
    filter.allow({call, is(0, 0)});
  }
  // ZeroMQ sets the usual policy for its threads by their numbers.
  filter.allow({SCMP_SYS(sched_setscheduler), is(1, SCHED_OTHER)});
  // The process may signal itself only: no other process, no group, not all.
  const auto self = static_cast<std::uint64_t>(::getpid());
  for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)}) filter.allow({call, {0, SCMP_CMP_EQ, self, 0}});
}

void allow_sockets(Filter& filter, Network network) {
  filter.allow({SCMP_SYS(socket), is(0, AF_UNIX)});
  // Not of datagrams, which may go to any other socket.
  constexpr std::uint64_t kKind = 0xf;
  filter.allow(SCMP_SYS(socketpair), {is(0, AF_UNIX), {1, SCMP_CMP_MASKED_EQ, kKind, SOCK_STREAM}});
  if (network != Network::kTcp) return;
  for (const int family : {AF_INET, AF_INET6, AF_NETLINK}) filter.allow({SCMP_SYS(socket), is(0, family)});
}

Result<void> restrict_system_calls(Network network) {
  auto filter = Filter::that_refuses_the_rest();
  for (const int call : kAllowed) filter.allow(call);
  if (kSanitized) {
    for (const int call : kAllowedToSanitizers) filter.allow(call);
  }
  allow_threads(filter);
  allow_sockets(filter, network);
  for (const int option : kPrctlOptions) filter.allow({SCMP_SYS(prctl), is(0, option)});
  for (const int command : kFcntlCommands) filter.allow({SCMP_SYS(fcntl), is(1, command)});
  for (const int request : kIoctlRequests) filter.allow({SCMP_SYS(ioctl), is(1, request)});
  return filter.load();
}

}  // namespace

Result<void> confine(const FileAccess& files, Network network) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return posix_error("give up privileges", errno);
  RETURN_IF_ERROR(restrict_files(files, network));
  RETURN_IF_ERROR(drop_capabilities());
  return restrict_system_calls(network);
}

bool started_by_root() { return ::geteuid() == 0; }

Result<void> forbid_new_unix_sockets() {
  auto filter = Filter::that_allows_the_rest();
  filter.refuse({SCMP_SYS(socket), is(0, AF_UNIX)});
  return filter.load();
}

Result<void> forbid_new_watches() {
  auto filter = Filter::that_allows_the_rest();
  for (const int call : {SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1), SCMP_SYS(inotify_add_watch)})
    filter.refuse(call);
  return filter.load();
}

void hide_from_other_processes() {
  if (!kSanitized) ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace da::os
