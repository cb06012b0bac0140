#include "lib/os/confinement.h"

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <initializer_list>
#include <memory>

#include "lib/os/landlock.h"

namespace da::os {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // At its end the process is looked through for leaks by a thread that traces it.
#else
constexpr bool kSanitized = false;
#endif

// Refused with EPERM, in all threads.
constexpr std::array kRefused = {
    // Other programs.
    SCMP_SYS(execve), SCMP_SYS(execveat),
    // Other processes.
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise), SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal), SCMP_SYS(kcmp), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(tkill), SCMP_SYS(move_pages), SCMP_SYS(migrate_pages), SCMP_SYS(setpriority), SCMP_SYS(ioprio_set),
    // Another view of the machine.
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen), SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(unshare), SCMP_SYS(setns),
    SCMP_SYS(open_by_handle_at), SCMP_SYS(personality),
    // Large parts of the kernel that nothing here uses.
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(init_module),
    SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(reboot),
    SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(quotactl), SCMP_SYS(lookup_dcookie)};

// Of a system call that has arguments: refused where one of them is, or is not, this.
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
    // EDOM: this machine's architecture has no such call.
    if (result != 0 && result != -EDOM && problem_ == 0) problem_ = result;
  }

  std::unique_ptr<void, Release> context_;
  int problem_ = 0;
};

// A comparison of the lower half of an argument, which is all that the kernel reads of an int.
scmp_arg_cmp is(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, 0xffffffffu, value & 0xffffffffu};
}

void refuse_sockets(Filter& filter, Network network) {
  // A family that is allowed cannot be named by what it is not, so each other one is refused by itself.
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
  // Signals to itself alone: another process, all of a group, or all.
  const auto self = static_cast<std::uint64_t>(::getpid());
  for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)}) {
    if (!kSanitized) filter.refuse({call, {0, SCMP_CMP_NE, self, 0}});
  }
  // What a terminal would take for a person's keys, and the console's own settings of one.
  for (const unsigned long request : {static_cast<unsigned long>(TIOCSTI), 0x541Cul /* TIOCLINUX */}) {
    filter.refuse({SCMP_SYS(ioctl), is(1, request)});
  }
  return filter.load();
}

}  // namespace

Result<void> confine(const FileAccess& files, Network network) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return posix_error("give up privileges", errno);
  RETURN_IF_ERROR(restrict_files(files, network));
  return restrict_system_calls(network);
}

Result<void> forbid_new_unix_sockets() {
  Filter filter;
  filter.refuse({SCMP_SYS(socket), is(0, AF_UNIX)});
  return filter.load();
}

void hide_from_other_processes() {
  if (!kSanitized) ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace da::os
