// Starts programs by CreateProcess, without a shell, and follows them.
//
// A program runs in a job of its own, which holds its descendants except those that another process starts for it
// (Explorer, COM). The job ends nothing: programs outlive the actuator. A program with windows writes its output into a
// pipe, of which the last line is kept. A console program gets a console window, so that it is visible and can be typed
// into; its output is then on the screen, and LaunchedProgram.last_line is empty. One thread at a time.
#pragma once

#include <deque>
#include <optional>

#include "lib/base/clock.h"
#include "services/actuator/desktop/roles/applications.h"
#include "services/actuator/desktop/win32/applications/program_output.h"
#include "services/actuator/desktop/win32/base/handles.h"

namespace da::actuator::win32 {

class Win32Applications final : public Applications {
 public:
  explicit Win32Applications(const Clock& clock) : clock_(clock) {}

  // kNotFound, with a similar name, when no program has this name.
  Result<LaunchPlan> resolve(std::string_view command) override;
  Result<std::uint32_t> launch(const LaunchPlan& plan) override;
  // Explorer's dialog, by Win+R. It follows no program.
  Result<RunDialog> run_dialog(const LaunchPlan& plan) override;
  std::vector<LaunchedProgram> launched() override;
  std::vector<std::string> open_files(std::uint32_t pid, const std::set<std::uint32_t>& others) override;

 private:
  struct Followed {
    UniqueKernelHandle process;
    UniqueKernelHandle job;
    std::optional<ProgramOutput> output;
    MonoTime since;
    LaunchedProgram program;
  };

  static void look_at(Followed& followed);

  const Clock& clock_;
  std::deque<Followed> followed_;
};

}  // namespace da::actuator::win32
