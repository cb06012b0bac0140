// `da-planner doctor`, which `da-console doctor` starts: prints one JSON line per check (lib/service/doctor.h).
#pragma once

namespace da::planner::model {

bool is_doctor_command(int argc, char** argv);

// Exit code: 0 all checks succeeded, 1 a check failed, 2 bad usage.
int run_doctor(int argc, char** argv);

}  // namespace da::planner::model
