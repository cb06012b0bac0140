// Deletes the file that was looked at, and no other: neither one that was put in its place, nor one that its path leads
// to because a directory above it was exchanged. Any thread.
#pragma once

#include "lib/base/result.h"
#include "services/actuator/target.h"

namespace da::actuator {

// What `info` (of lstat or fstat) says of the file at that path.
FileIdentity identify(const std::string& canonical_path, const struct stat& info);

// kAborted where another file is there now, or a link is on the way to it: nothing was deleted then. Who may write in
// the file's own directory can exchange it in the last microseconds; he could as well delete what he puts there.
Result<void> delete_exactly(const FileIdentity& file);

}  // namespace da::actuator
