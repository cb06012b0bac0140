// The applications of the cases: GTK 3, GTK 4, Qt, and two without an accessibility tree.
#pragma once

#include <filesystem>

#include "tests/stale/scene.h"

namespace da::stale {

struct Applications {
  // Their files lie in the directory.
  explicit Applications(const std::filesystem::path& directory);

  Application mousepad;        // GTK 3.
  Application dialog;          // Its dialog "Find and Replace".
  Application featherpad;      // Qt.
  Application featherpad_tab;  // The same, where the tab is clicked.
  Application calculator;      // GTK 4.
  Application xterm;
  Application xmessage;
};

}  // namespace da::stale
