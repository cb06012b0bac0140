// Deletes exactly the file that was examined before. Keeps a file that has replaced it since, and a file that its path
// reaches after a directory above it was exchanged. Any thread.
#pragma once

#include "lib/base/result.h"
#include "services/actuator/target/file_identity.h"

namespace da::actuator {

// `info` comes from lstat or fstat of the file.
FileIdentity identify(const std::string& canonical_path, const struct stat& info);

// kAborted: the path now reaches another file or goes through a link; nothing was deleted. A process that may write to
// the file's directory can still exchange it in the last microseconds before the deletion.
Result<void> delete_exactly(const FileIdentity& file);

}  // namespace da::actuator
