// Finds dotted and dashed lines. Tk, Motif and old Windows frame what has the keyboard focus with them. Pure; any
// thread.
#pragma once

#include <opencv2/core.hpp>
#include <span>
#include <vector>

namespace da::observer {

// The indices of the pieces of ink that are dots of a line: at least eight of one size at equal distances, level or
// upright, and the dots that lead on from its ends, such as the short sides of a frame.
std::vector<std::size_t> pieces_of_dotted_lines(std::span<const cv::Rect> pieces);

}  // namespace da::observer
