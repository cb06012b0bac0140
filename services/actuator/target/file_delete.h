// Deletes exactly the file that was examined before. Keeps a file that has replaced it since, and a file that its path
// reaches after a directory above it was exchanged. Any thread.
#pragma once

#include <string>

#include "lib/base/result.h"
#include "services/actuator/target/file_identity.h"

namespace da::actuator {

// The plain file at an absolute path. kInvalidArgument: the path is not absolute, or names a link, a directory or a
// device.
Result<FileIdentity> identify_file(const std::string& path);
// The file that a program is started from. Follows links; its path in the result is the given one.
Result<FileIdentity> identify_program(const std::string& executable);

// kAborted: the path now reaches another file or goes through a link; nothing was deleted. A process that may write to
// the file's directory can still exchange it in the last microseconds before the deletion (Linux), or not at all
// (Windows, where the file is deleted by its open handle).
Result<void> delete_exactly(const FileIdentity& file);

}  // namespace da::actuator
