// What of an action goes into the audit log: the action in words, as people are shown it, but of a text that is typed
// only the start, with its length and digest, so that the log is no copy of all that was written. Of what goes into a
// password field, or nobody knows where, only the length: a digest of a short secret could be guessed. Placeholders
// ({{secret:name}}) are no secrets, and are named even where the text is cut. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"
#include "services/policy/audit/record.h"

namespace da::policy {

enum class Exposure { kPlain, kHidden };

// kHidden where the action types something into a password field, or `evidence` is empty: none was gathered.
Exposure exposure_of(const v1::Action& action, const v1::Evidence& evidence);

// Adds "action", and where text is typed "text_digest" and "characters". `words` is describe(action).
void record_action(AuditRecord& record, const std::string& tool, const v1::Action& action, const std::string& words,
                   Exposure exposure);

}  // namespace da::policy
