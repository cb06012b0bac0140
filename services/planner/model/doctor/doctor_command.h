// `da-planner doctor`, which `da-console doctor` starts: one JSON line for each check, as lib/service/doctor.h has it.
#pragma once

namespace da::planner::model {

bool is_doctor_command(int argc, char** argv);

// Exit code: 0 all is well, 1 something is not, 2 bad usage.
int run_doctor(int argc, char** argv);

}  // namespace da::planner::model
