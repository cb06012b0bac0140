// Landlock limits which files the process may open. Linux only.
#pragma once

#include <filesystem>
#include <vector>

#include "lib/base/result.h"

namespace da::os {

// A directory includes everything below it. Paths that do not exist at the time of confinement stay inaccessible.
struct FileAccess {
  std::vector<std::filesystem::path> read;
  std::vector<std::filesystem::path> write;    // Directories: read, write, create, remove. Files: read, write.
  std::vector<std::filesystem::path> sockets;  // Directories in which to create, replace and remove unix sockets.
};

enum class Network { kNone, kTcp };

// The kernel's Landlock version, from 1; 0 if Landlock is missing or switched off.
int landlock_version();

// The file part of confine(). From version 6 on also abstract unix sockets and signals. Does nothing without Landlock.
Result<void> restrict_files(const FileAccess& files, Network network);

}  // namespace da::os
