// Irrevocably removes rights from a process: files of its user, other processes, programs, kinds of sockets. For
// services that read untrusted input (the screen, a model's replies), so that an attacker who takes one over does not
// get its user's rights. Linux: Landlock for files, seccomp for system calls; both also apply to later threads and
// child processes. Sanitized builds keep the system calls that the sanitizers need. Windows has none of this: there,
// confine() fails with kUnimplemented.
#pragma once

#include "lib/base/result.h"
#include "lib/os/process/landlock.h"

namespace da::os {

// Leaves the process these files, the system's own (libraries, program data, name resolution), its own /proc directory,
// and, with kTcp, all of /etc and TCP. Removes: executing programs; reading, tracing and signalling other processes;
// all sockets but unix ones (and TCP's); injecting terminal input; namespaces and mounts; changing owners, modes, times
// and attributes of files; all capabilities, of root too. Call it while the process has one thread. On a kernel without
// Landlock, files stay accessible and the other limits apply.
Result<void> confine(const FileAccess& files, Network network);

// Whether the process has root's user id. Always false on Windows.
bool started_by_root();

// Forbids new unix sockets in all threads. Open ones keep working, and can accept. Call after confine().
Result<void> forbid_new_unix_sockets();

// Forbids new watches of files in all threads: they would tell when a person reads or writes any file. Call after
// confine().
Result<void> forbid_new_watches();

// Hides memory, environment and descriptors from the user's other processes; no core files. Does not affect children.
// Linux only.
void hide_from_other_processes();

}  // namespace da::os
