// A template at the size of one level of an ImagePyramid, for each way in which it may lie on the level's pixels. Pure;
// any thread.
//
// A level's pixel (cell) covers 2^halvings pixels. A template whose left edge is not at the edge of a cell looks
// different there: its phase is the number of its columns (rows) before its first whole cell. If the template's colours
// differ mostly in one direction, such as that of brightness, only this one is compared.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "services/observer/analyse/templates/template_pixels.h"

namespace da::observer {

// Weights of blue, green and red, in 1/256, and the projected value of a medium grey, which is subtracted.
struct Projection {
  std::array<int, 3> weights{};
  int offset = 0;

  std::int16_t of(const std::uint8_t* bgrx) const {
    const int sum = weights[0] * bgrx[0] + weights[1] * bgrx[1] + weights[2] * bgrx[2];
    return static_cast<std::int16_t>((sum >> 8) - offset);
  }
};

struct CoarsePhase {
  Point phase;  // Columns and rows before the first cell.
  // Channel by channel: the values less their channel's mean, times kCellScale; 0 in cells that do not count.
  std::vector<std::int16_t> cells;
  std::vector<std::uint8_t> counts;  // 1: all pixels of the cell count. Empty: all cells do.
  int counted = 0;
  double norm = 0;  // The square root of the sum of squares of the cells, without kCellScale.
};

inline constexpr int kCellScale = 16;

// The correlation of two phases of one template, if all cells count: -1..1.
double likeness(const CoarsePhase& a, const CoarsePhase& b);

struct CoarseTemplate {
  std::vector<Projection> channels;  // One, or blue, green and red.
  int halvings = 0;
  int width = 0;  // Cells.
  int height = 0;
  std::vector<CoarsePhase> phases;
  int reach = 0;             // A place may differ by this many pixels from the nearest phase.
  double self_likeness = 1;  // The least correlation of the template with its nearest phase.
};

// At the coarsest level at which the template keeps enough cells, contrast and likeness with itself. It must have more
// than one colour.
CoarseTemplate coarse_template(const TemplatePixels& wanted);

}  // namespace da::observer
