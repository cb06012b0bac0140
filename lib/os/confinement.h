// Takes from a process what it does not need, for good: files of its user, other processes, programs, kinds of sockets.
// For services that read what nobody vouches for (the screen, a model's replies), so that whoever takes one over by
// what it reads does not get its user's rights too. Linux: Landlock for files, seccomp for system calls; both hold for
// threads and processes that it starts later, and neither can be undone. Sanitized builds keep the system calls that
// the sanitizers need.
#pragma once

#include <filesystem>
#include <vector>

#include "lib/base/result.h"

namespace da::os {

// Each directory with all that is below it. What is not there when the process is confined stays out of reach.
struct FileAccess {
  std::vector<std::filesystem::path> read;
  std::vector<std::filesystem::path> write;    // To read, write, make and remove in; a file: to read and write.
  std::vector<std::filesystem::path> sockets;  // Directories to make, replace and remove unix sockets in.
};

enum class Network { kNone, kTcp };

// What the kernel offers of Landlock: its version, from 1; 0 where it has none or it is switched off.
int landlock_version();

// Leaves the process these files, the system's own (programs' libraries and data, what name resolution reads), its own
// /proc directory, and, with kTcp, all of /etc and TCP. Gone are: executing programs, reading, tracing and signalling
// other processes, sockets but unix ones (and TCP's), typing into a terminal, namespaces and mounts. To be called while
// the process has one thread. Where the kernel has no Landlock, files stay as they are, and the rest is taken.
Result<void> confine(const FileAccess& files, Network network);

// No further unix sockets, in all threads: those that are open are all that the process has. It can still accept
// connections. For a confined process.
Result<void> forbid_new_unix_sockets();

// The process's memory, environment and descriptors cannot be read by other processes of its user, and no core file is
// written. Programs that it starts are as they would be else.
void hide_from_other_processes();

}  // namespace da::os
