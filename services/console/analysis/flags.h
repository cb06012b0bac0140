// The command line of `analyze`. Main thread.
#pragma once

#include <CLI/CLI.hpp>

#include "services/console/analysis/analyze.h"

namespace da::console {

// `options` must outlive the app. --json is the caller's.
void add_analyze_flags(CLI::App& command, AnalyzeOptions& options);

}  // namespace da::console
