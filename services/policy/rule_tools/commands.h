// `da-policy rules check|explain|test|accept|judge`, which `da-console policy` starts: tools for people who write
// rules. They need no configuration and no service.
#pragma once

namespace da::policy {

// Exit code: 0 no problem, 1 a questionable rule, a failed case or a file that was not accepted, 2 bad usage or an
// unusable file.
int run_rules(int argc, char** argv);

}  // namespace da::policy
