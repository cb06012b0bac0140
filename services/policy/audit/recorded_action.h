// The part of an action that goes into the audit log: its words, as people see them. Of typed text only the start, the
// length and the digest, so that the log is not a copy of everything that was typed. Of text for a password field, or
// for an unknown place, only the length, because the digest of a short secret could be guessed. Placeholders
// ({{secret:name}}) are not secrets; their names are recorded even if the text is cut. Pure; any thread.
#pragma once

#include <string>

#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"
#include "services/policy/audit/record.h"

namespace da::policy {

enum class Exposure { kPlain, kHidden };

// kHidden if the action types into a password field, or if `evidence` is empty, because none was gathered.
Exposure exposure_of(const v1::Action& action, const v1::Evidence& evidence);

// Adds "action", and for typed text "text_digest" and "characters". `words` is describe(action).
void record_action(AuditRecord& record, const std::string& tool, const v1::Action& action, const std::string& words,
                   Exposure exposure);

}  // namespace da::policy
