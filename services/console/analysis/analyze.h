// `analyze`: colours, templates and text of a region of the desktop or of a picture file. Only looks. Main thread.
#pragma once

#include "services/console/analysis/options.h"

namespace da::console {

// kDone if the region was analysed, whatever it shows. kTaskFailed: no such region or window, or an unusable file.
int analyze(const AnalyzeOptions& options);

}  // namespace da::console
