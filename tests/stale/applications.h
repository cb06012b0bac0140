// The applications of the cases: GTK 3, GTK 4, Qt, and two without an accessibility tree.
#pragma once

#include <filesystem>

#include "tests/stale/scene.h"

namespace da::stale {

struct Applications {
  // `directory`: for the files that they open.
  explicit Applications(const std::filesystem::path& directory);

  Application mousepad;        // GTK 3.
  Application dialog;          // mousepad's dialog "Find and Replace".
  Application featherpad;      // Qt.
  Application featherpad_tab;  // featherpad; the cases click its tab.
  Application calculator;      // GTK 4.
  Application xterm;
  Application xmessage;
};

}  // namespace da::stale
