// The program with which people start goals, watch, approve and stop. Has no policy, no planner and no input device.
#include "lib/base/plain_output.h"
#include "services/console/command_line/command_line.h"
#include "services/console/exit_codes.h"

int main(int argc, char** argv) {
  const da::PlainOutput output;
  return da::console::after_output(da::console::run_command_line(argc, argv));
}
