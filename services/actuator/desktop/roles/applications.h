// Starts programs and follows them. desktop.h tells about coordinates, threads and errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da::actuator {

// What launch() would execute; resolve() executes nothing.
struct LaunchPlan {
  std::string executable;         // Canonical absolute path.
  std::vector<std::string> argv;  // argv[0] included.
};

// A program that launch() started, with its descendant processes.
struct LaunchedProgram {
  std::uint32_t pid = 0;            // The pid that launch() returned.
  std::vector<std::uint32_t> pids;  // All processes of the program that still run.
  std::string token;                // Windows of this launch may carry it; empty on desktops without such tokens.
  bool ended = false;               // Whether the process `pid` has ended; its descendants may still run.
  int exit_status = 0;              // Status of `pid`; 128 + the number of the signal or exception that ended it.
  std::string last_line;            // Last line of the output, once ended; at most 300 bytes. Untrusted, any bytes.
};

// The desktop's dialog in which a person types a command line to start a program.
struct RunDialog {
  std::vector<std::string> chord;  // The keys that open it; canonical names.
  std::string executable;          // Executable of the process that shows it.
  std::string command_line;        // What to type.
};

// open_files() tells at most so many paths.
inline constexpr std::size_t kMostOpenFiles = 128;

class Applications {
 public:
  virtual ~Applications() = default;
  // A command line (words, quotes; no shell syntax) or the name of a desktop entry.
  virtual Result<LaunchPlan> resolve(std::string_view command) = 0;
  // Starts the program detached and returns its pid once it runs. A program that cannot be executed is an error.
  virtual Result<std::uint32_t> launch(const LaunchPlan& plan) = 0;
  // How to start it by the desktop's Run dialog. kUnimplemented: this desktop has none. kInvalidArgument: the dialog
  // would not execute exactly this.
  virtual Result<RunDialog> run_dialog(const LaunchPlan& plan) = 0;
  // The programs started in the last minutes that this desktop can follow, in the order of their starts.
  virtual std::vector<LaunchedProgram> launched() = 0;
  // Files that a process and its descendants have at hand: existing files and folders (these end with a separator)
  // among the arguments of their command lines, then, where the system tells, files that they hold open for writing;
  // without those of DesktopAssist's own programs. Absolute paths, links resolved, each once, at most kMostOpenFiles.
  // An editor that has read a file and closed it again is not recognized. Empty: none is known. `others`: processes
  // with windows of their own, which do not count as descendants of a panel or terminal that has started them.
  virtual std::vector<std::string> open_files(std::uint32_t pid, const std::set<std::uint32_t>& others) = 0;
};

}  // namespace da::actuator
