// `da-planner profile check|explain|test|schema`, which `da-console profile` starts: tools for people who write rule
// profiles. They need no configuration and no service.
#pragma once

namespace da::planner::rules {

bool is_profile_command(int argc, char** argv);

// Exit code: 0 no problem, 1 warnings only, a rule with an error or a failed case, 2 bad usage or an unusable file.
int run_profile_command(int argc, char** argv);

}  // namespace da::planner::rules
