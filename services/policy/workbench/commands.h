// `da-policy rules check|explain|test`, which `da-console policy` starts: for people who write rules. Needs no
// configuration and talks to no service.
#pragma once

namespace da::policy {

// Whether the first word is "rules".
bool is_workbench_command(int argc, char** argv);

// Exit code: 0 all is well, 1 a rule is odd or a case does not hold, 2 bad usage or a file that cannot be read.
int run_workbench(int argc, char** argv);

}  // namespace da::policy
