#include "services/observer/text/dotted_lines.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace da::observer {
namespace {

constexpr int kLargestDot = 2;     // Pixels. Smaller than the dots of a hidden password.
constexpr int kLargestCorner = 4;  // Where two lines meet.
constexpr int kLargestDistance = 8;
constexpr int kLeastDots = 8;  // An ellipsis has three.

using Axis = int cv::Rect::*;

class DottedLines {
 public:
  explicit DottedLines(std::span<const cv::Rect> pieces) : pieces_(pieces), is_found_(pieces.size()) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const int size = std::max(pieces[i].width, pieces[i].height);
      if (size <= kLargestDot) dots_.push_back(i);
      if (size <= kLargestCorner) cells_[cell_of(pieces[i])].push_back(i);
    }
  }

  std::vector<std::size_t> find() {
    find_lines(&cv::Rect::x, &cv::Rect::y);
    find_lines(&cv::Rect::y, &cv::Rect::x);
    while (!ends_.empty()) {
      const std::size_t end = ends_.back();
      ends_.pop_back();
      lead_on(end);
    }
    return std::move(found_);
  }

 private:
  using Cell = std::pair<int, int>;

  static Cell cell_of(const cv::Rect& piece) { return {piece.x / kLargestDistance, piece.y / kLargestDistance}; }

  bool add(std::size_t piece) {
    if (is_found_[piece]) return false;
    is_found_[piece] = true;
    found_.push_back(piece);
    return true;
  }

  void find_lines(Axis along, Axis across) {
    const auto place = [&](std::size_t i) { return std::pair(pieces_[i].*across, pieces_[i].*along); };
    std::ranges::sort(dots_, {}, place);
    for (std::size_t from = 0, to = 0; from < dots_.size(); from = to) {
      to = from + 1;
      const cv::Rect& first = pieces_[dots_[from]];
      const int step = to < dots_.size() ? pieces_[dots_[to]].*along - first.*along : 0;
      while (to < dots_.size() && step <= kLargestDistance && follows(dots_[to], dots_[to - 1], step, along, across))
        ++to;
      if (to - from < kLeastDots) continue;
      for (std::size_t i = from; i < to; ++i) add(dots_[i]);
      ends_.push_back(dots_[from]);
      ends_.push_back(dots_[to - 1]);
    }
  }

  bool follows(std::size_t next, std::size_t last, int step, Axis along, Axis across) const {
    const cv::Rect& a = pieces_[last];
    const cv::Rect& b = pieces_[next];
    return a.size() == b.size() && a.*across == b.*across && b.*along - a.*along == step;
  }

  // Adds the neighbours of this dot that lie in the same row or column.
  void lead_on(std::size_t end) {
    const cv::Rect& from = pieces_[end];
    const auto [column, row] = cell_of(from);
    for (int x = column - 1; x <= column + 1; ++x) {
      for (int y = row - 1; y <= row + 1; ++y) {
        const auto cell = cells_.find({x, y});
        if (cell == cells_.end()) continue;
        for (const std::size_t piece : cell->second) {
          if (is_in_line(from, pieces_[piece]) && add(piece)) ends_.push_back(piece);
        }
      }
    }
  }

  static bool is_in_line(const cv::Rect& a, const cv::Rect& b) {
    const int right = std::min(std::abs(a.x - b.x), std::abs(a.br().x - b.br().x));
    const int down = std::min(std::abs(a.y - b.y), std::abs(a.br().y - b.br().y));
    return std::min(right, down) == 0 && std::max(right, down) <= kLargestDistance;
  }

  std::span<const cv::Rect> pieces_;
  std::vector<bool> is_found_;
  std::vector<std::size_t> found_;
  std::vector<std::size_t> dots_;
  std::vector<std::size_t> ends_;  // Where a line may lead on.
  std::map<Cell, std::vector<std::size_t>> cells_;
};

}  // namespace

std::vector<std::size_t> pieces_of_dotted_lines(std::span<const cv::Rect> pieces) { return DottedLines(pieces).find(); }

}  // namespace da::observer
