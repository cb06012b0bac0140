// Reads the configuration of da-policy: rules, key, halt latch, audit log and approval rules.
//
//   [policy]
//   rules = "policy.toml"            the rule file
//   signing_key = "policy.key"       signs grants and heads of the audit log, mode 0600
//   audit_heads = "/mnt/x/heads"     optional: the file of the audit log's heads
//   second_factor = "/etc/x/factor"  optional: the directory of second factors
//   people_for_critical = 2          optional: how many people must approve a critical step
//   opener_may_approve = false       optional: whether the person who opened a task may approve its steps
//   notify = ["/usr/bin/x"]          optional: the command that notifies people of questions
//   [recording]
//   required = true                  optional: whether a task that da-recorder does not record gets no grants
#pragma once

#include "lib/service/service.h"
#include "services/policy/policy.h"

namespace da::policy {

// Errors name the key or the file.
Result<Policy::Setup> read_setup(service::Context& context);

}  // namespace da::policy
