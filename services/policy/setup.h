// What da-policy is started with, from its configuration: rules, keys, halt latch, audit log, and who must agree.
//
//   [policy]
//   rules = "policy.toml"            the rule file
//   signing_key = "policy.key"       of grants and of the audit log's heads, mode 0600
//   audit_heads = "/mnt/x/heads"     optional: the second place of the audit log's heads
//   second_factor = "/etc/x/factor"  optional: the directory of second factors
//   people_for_critical = 2          optional: how many people approve a critical step
//   opener_may_approve = false       optional: whether whoever opened a task may answer for it
//   notify = ["/usr/bin/x"]          optional: the command that tells people about questions
#pragma once

#include "lib/service/service.h"
#include "services/policy/policy.h"

namespace da::policy {

// Errors name the key or the file.
Result<Policy::Setup> read_setup(service::Context& context);

}  // namespace da::policy
