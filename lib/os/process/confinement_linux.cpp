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

// Linux 6.6; the kernel's number on every architecture. The library's table may lack it.
constexpr int kFchmodat2 = 452;

// These calls fail with EPERM in all threads.
constexpr std::array kRefused = {
    // Executing programs.
    SCMP_SYS(execve), SCMP_SYS(execveat),
    // Reaching other processes.
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise), SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal), SCMP_SYS(kcmp), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(tkill), SCMP_SYS(move_pages), SCMP_SYS(migrate_pages), SCMP_SYS(setpriority), SCMP_SYS(ioprio_set),
    // Memory, semaphores and messages that all processes of a user share, such as the pictures of an X server.
    SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(shmctl), SCMP_SYS(semget), SCMP_SYS(semop), SCMP_SYS(semtimedop),
    SCMP_SYS(semctl), SCMP_SYS(msgget), SCMP_SYS(msgsnd), SCMP_SYS(msgrcv), SCMP_SYS(msgctl), SCMP_SYS(mq_open),
    // Changing the view of the file system and the machine.
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen), SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(unshare), SCMP_SYS(setns),
    SCMP_SYS(open_by_handle_at), SCMP_SYS(personality),
    // Owners, modes, times and attributes of files, which Landlock does not limit.
    SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), kFchmodat2, SCMP_SYS(chown), SCMP_SYS(fchown),
    SCMP_SYS(lchown), SCMP_SYS(fchownat), SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(futimesat), SCMP_SYS(utimensat),
    SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr), SCMP_SYS(fanotify_init), SCMP_SYS(fanotify_mark), SCMP_SYS(name_to_handle_at),
    // The machine's clock, names and log, and other users.
    SCMP_SYS(clock_settime), SCMP_SYS(settimeofday), SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime), SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname), SCMP_SYS(syslog), SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid),
    SCMP_SYS(setregid), SCMP_SYS(setresuid), SCMP_SYS(setresgid), SCMP_SYS(setfsuid), SCMP_SYS(setfsgid),
    SCMP_SYS(setgroups), SCMP_SYS(capset), SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(mknod), SCMP_SYS(mknodat),
    // Large parts of the kernel that we do not use.
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(init_module),
    SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(reboot),
    SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(quotactl), SCMP_SYS(lookup_dcookie)};

// A system call that is refused when the comparison of its argument is true.
struct Condition {
  int call;
  scmp_arg_cmp argument;
};

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ALLOW)) {
    if (context_) note(seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_TSYNC, 1));
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
  struct Release {
    void operator()(scmp_filter_ctx context) const { seccomp_release(context); }
  };

  scmp_filter_ctx get() { return context_.get(); }
  void note(int result) {
    // EDOM: the machine's architecture has no such call.
    if (result != 0 && result != -EDOM && problem_ == 0) problem_ = result;
  }

  std::unique_ptr<void, Release> context_;
  int problem_ = 0;
};

// A new namespace would give all capabilities in it. The arguments of clone3 lie in memory, where a filter cannot see
// them.
void refuse_namespaces(Filter& filter) {
  for (const std::uint64_t flag :
       {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET}) {
    filter.refuse({SCMP_SYS(clone), {0, SCMP_CMP_MASKED_EQ, flag, flag}});
  }
  filter.pretend_missing(SCMP_SYS(clone3));
}

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
scmp_arg_cmp is(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, 0xffffffffu, value & 0xffffffffu};
}

void refuse_sockets(Filter& filter, Network network) {
  // seccomp cannot express "any family but these", so each other family is refused by a rule of its own.
  for (int family = 0; family < AF_MAX; ++family) {
    const bool tcp = family == AF_INET || family == AF_INET6 || family == AF_NETLINK;
    if (family == AF_UNIX || (tcp && network == Network::kTcp)) continue;
    filter.refuse({SCMP_SYS(socket), is(0, static_cast<std::uint64_t>(family))});
  }
  filter.refuse({SCMP_SYS(socket), {0, SCMP_CMP_GE, AF_MAX, 0}});
}

Result<void> restrict_system_calls(Network network) {
  Filter filter;
  for (const int call : kRefused) {
    if (!kSanitized || (call != SCMP_SYS(execve) && call != SCMP_SYS(personality))) filter.refuse(call);
  }
  if (!kSanitized) filter.refuse(SCMP_SYS(ptrace));
  refuse_sockets(filter, network);
  refuse_namespaces(filter);
  // The process may signal itself only: no other process, no group, not all.
  const auto self = static_cast<std::uint64_t>(::getpid());
  for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)}) {
    if (!kSanitized) filter.refuse({call, {0, SCMP_CMP_NE, self, 0}});
  }
  // Limits and scheduling of other processes: 0 names the caller itself.
  for (const int call :
       {SCMP_SYS(prlimit64), SCMP_SYS(sched_setaffinity), SCMP_SYS(sched_setattr), SCMP_SYS(sched_setparam)}) {
    filter.refuse({call, {0, SCMP_CMP_NE, 0, 0}});
  }
  // ZeroMQ sets the usual policy for its threads by their numbers.
  filter.refuse({SCMP_SYS(sched_setscheduler), {1, SCMP_CMP_NE, SCHED_OTHER, 0}});
  // A descriptor could send any signal to any process of the user.
  for (const int command : {F_SETOWN, F_SETSIG, F_SETOWN_EX}) {
    filter.refuse({SCMP_SYS(fcntl), is(1, static_cast<std::uint64_t>(command))});
  }
  for (const unsigned long request : {static_cast<unsigned long>(FIOSETOWN), static_cast<unsigned long>(SIOCSPGRP)}) {
    filter.refuse({SCMP_SYS(ioctl), is(1, request)});
  }
  // TIOCSTI and TIOCLINUX inject keys into a terminal or change console settings.
  for (const unsigned long request : {static_cast<unsigned long>(TIOCSTI), 0x541Cul /* TIOCLINUX */}) {
    filter.refuse({SCMP_SYS(ioctl), is(1, request)});
  }
  return filter.load();
}

}  // namespace

Result<void> confine(const FileAccess& files, Network network) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return posix_error("give up privileges", errno);
  RETURN_IF_ERROR(restrict_files(files, network));
  RETURN_IF_ERROR(drop_capabilities());
  return restrict_system_calls(network);
}

Result<void> forbid_new_unix_sockets() {
  Filter filter;
  filter.refuse({SCMP_SYS(socket), is(0, AF_UNIX)});
  return filter.load();
}

Result<void> forbid_new_watches() {
  Filter filter;
  for (const int call : {SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1), SCMP_SYS(inotify_add_watch)})
    filter.refuse(call);
  return filter.load();
}

void hide_from_other_processes() {
  if (!kSanitized) ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace da::os
