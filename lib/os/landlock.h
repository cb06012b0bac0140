// Landlock: which files the process may open. Linux only.
#pragma once

#include "lib/base/result.h"
#include "lib/os/confinement.h"

namespace da::os {

// As confine() says, for files and, from version 6 on, abstract unix sockets and signals. Without Landlock: nothing.
Result<void> restrict_files(const FileAccess& files, Network network);

}  // namespace da::os
