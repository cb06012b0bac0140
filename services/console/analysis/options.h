// The options of `analyze`. Plain data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "services/console/commands/commands.h"

namespace da::console {

struct AnalyzeOptions {
  std::filesystem::path config;  // Means the same as in LookOptions.
  std::string backend = "x11";
  std::filesystem::path image;      // A picture instead of the desktop; empty: the desktop.
  std::string region;               // "X,Y,WIDTH,HEIGHT"; empty: everything.
  std::string window;               // A part of a title: the region is relative to this window.
  std::vector<std::string> pixels;  // "X,Y" in the region.
  bool average = false;
  std::uint32_t dominant = 0;  // Clusters; 0: none.
  std::vector<std::filesystem::path> templates;
  double min_confidence = 0.8;
  std::vector<double> scales;
  bool mask = false;
  bool exact_suffices = false;
  bool ocr = false;
  Format format = Format::kLines;
};

}  // namespace da::console
