// `da-policy audit show|verify|export`, which `da-console audit` starts: for people who look at what the policy
// decided. Reads the log and its heads; needs no service, and no key but public ones.
#pragma once

namespace da::policy {

// Whether the first word is "audit".
bool is_audit_command(int argc, char** argv);

// Exit code: 0 done (verify: intact), 1 the log is not intact, 2 bad usage or a file that cannot be read.
int run_audit(int argc, char** argv);

}  // namespace da::policy
