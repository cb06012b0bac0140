// Deletes the file that was looked at before, and no other one: a file that has been put in its place since is kept,
// and so is the file that its path leads to after a directory above it was exchanged. Any thread.
#pragma once

#include "lib/base/result.h"
#include "services/actuator/target.h"

namespace da::actuator {

// What `info` (of lstat or fstat) says of the file at that path.
FileIdentity identify(const std::string& canonical_path, const struct stat& info);

// kAborted where another file is there now, or a link is on the way to it: nothing was deleted then. Somebody
// who may write in the file's own directory can still exchange it in the last microseconds before it is deleted.
Result<void> delete_exactly(const FileIdentity& file);

}  // namespace da::actuator
