// The picture of a question, kept as a file that a person can open. Any thread.
#pragma once

#include <string>

#include "da/v1/verdict.pb.h"

namespace da::console {

// Where it was written, with mode 0600, below the runtime directory; empty where the question has none, or where it
// cannot be written.
std::string keep_picture(const v1::ApprovalRequest& request);

}  // namespace da::console
