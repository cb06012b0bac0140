#include "services/observer/text/field_boxes.h"

#include <algorithm>
#include <cstring>

#include "services/observer/elements/beside.h"
#include "services/observer/frames/wire.h"
#include "services/observer/text/reading_order.h"

namespace da::observer {
namespace {

constexpr int kLeastWidth = 24;
constexpr int kLeastHeight = 12;
constexpr int kLineHeight = 48;      // Higher boxes are text areas and lists.
constexpr int kFarthestLabel = 400;  // Pixels from a word to the field on its line.
constexpr int kFarthestAbove = 40;   // Pixels from a word to the field below it.
constexpr double kPictureScore = 0.9;
constexpr double kLeastOfEdge = 0.85;  // Share of each edge of the rectangle; round corners take a part.
constexpr double kLeastOfArea = 0.4;   // The text takes the rest.

// One run of equal pixels in a row, and the region that it belongs to.
struct Run {
  int begin;
  int end;
  std::uint32_t colour;
  std::size_t region;
};

struct PlainArea {
  std::size_t parent;
  Rect bounds;
  std::int64_t pixels = 0;
  std::uint32_t colour = 0;
};

// The regions of connected pixels of exactly one colour.
class PlainAreas {
 public:
  PlainAreas(const frames::PixelView& frame, const Rect& area) : frame_(frame), area_(area) {
    std::vector<Run> above;
    for (int y = area.y; y < area.bottom(); ++y) above = add_row(y, above);
  }

  std::vector<PlainArea> found() {
    for (std::size_t i = 0; i < regions_.size(); ++i) {
      const std::size_t root = find(i);
      if (root == i) continue;
      regions_[root].bounds = bounding(regions_[root].bounds, regions_[i].bounds);
      regions_[root].pixels += regions_[i].pixels;
    }
    std::vector<PlainArea> roots;
    for (std::size_t i = 0; i < regions_.size(); ++i) {
      if (regions_[i].parent == i) roots.push_back(regions_[i]);
    }
    return roots;
  }

 private:
  std::uint32_t pixel(int x, int y) const {
    std::uint32_t value = 0;
    std::memcpy(&value,
                frame_.data + static_cast<std::size_t>(y) * frame_.stride +
                    static_cast<std::size_t>(x) * frames::kBytesPerPixel,
                frames::kBytesPerPixel);
    return value & 0x00ffffffU;
  }

  std::vector<Run> add_row(int y, const std::vector<Run>& above) {
    std::vector<Run> row;
    std::size_t over = 0;
    for (int x = area_.x; x < area_.right();) {
      const std::uint32_t colour = pixel(x, y);
      int end = x + 1;
      while (end < area_.right() && pixel(end, y) == colour) ++end;
      const std::size_t region = regions_.size();
      regions_.push_back({region, {x, y, end - x, 1}, end - x, colour});
      while (over < above.size() && above[over].end <= x) ++over;
      for (std::size_t i = over; i < above.size() && above[i].begin < end; ++i) {
        if (above[i].colour == colour) join(region, above[i].region);
      }
      row.push_back({x, end, colour, region});
      x = end;
    }
    return row;
  }

  std::size_t find(std::size_t region) {
    while (regions_[region].parent != region) {
      regions_[region].parent = regions_[regions_[region].parent].parent;
      region = regions_[region].parent;
    }
    return region;
  }

  void join(std::size_t a, std::size_t b) {
    const std::size_t first = find(a);
    const std::size_t second = find(b);
    regions_[std::max(first, second)].parent = std::min(first, second);
  }

  const frames::PixelView& frame_;
  const Rect area_;
  std::vector<PlainArea> regions_;
};

class Picture {
 public:
  explicit Picture(const frames::PixelView& frame) : frame_(frame) {}

  bool is(int x, int y, std::uint32_t colour) const {
    std::uint32_t value = 0;
    std::memcpy(&value,
                frame_.data + static_cast<std::size_t>(y) * frame_.stride +
                    static_cast<std::size_t>(x) * frames::kBytesPerPixel,
                frames::kBytesPerPixel);
    return (value & 0x00ffffffU) == colour;
  }

  bool has_full_edges(const Rect& box, std::uint32_t colour) const {
    return share({box.x, box.y, box.width, 1}, colour) >= kLeastOfEdge &&
           share({box.x, box.bottom() - 1, box.width, 1}, colour) >= kLeastOfEdge &&
           share({box.x, box.y, 1, box.height}, colour) >= kLeastOfEdge &&
           share({box.right() - 1, box.y, 1, box.height}, colour) >= kLeastOfEdge;
  }

  // The columns with other colours; width 0 if there are none.
  Rect ink(const Rect& box, std::uint32_t colour) const {
    int first = box.right();
    int last = box.x - 1;
    for (int x = box.x + 1; x < box.right() - 1; ++x) {
      if (share({x, box.y, 1, box.height}, colour) >= 1) continue;
      first = std::min(first, x);
      last = x;
    }
    return last < first ? Rect{box.x, box.y, 0, box.height} : Rect{first, box.y, last - first + 1, box.height};
  }

 private:
  double share(const Rect& line, std::uint32_t colour) const {
    int same = 0;
    for (int y = line.y; y < line.bottom(); ++y) {
      for (int x = line.x; x < line.right(); ++x) same += is(x, y, colour) ? 1 : 0;
    }
    return static_cast<double>(same) / static_cast<double>(line.area());
  }

  const frames::PixelView& frame_;
};

// Whether the box has the colour that is around it, behind its border.
bool has_colour_around(const Picture& picture, const Rect& box, std::uint32_t colour, const Rect& area) {
  constexpr int kBehindBorder = 5;
  const Point middle = box.center();
  int same = 0;
  for (const Point at : {Point{box.x - kBehindBorder, middle.y}, Point{box.right() - 1 + kBehindBorder, middle.y},
                         Point{middle.x, box.y - kBehindBorder}, Point{middle.x, box.bottom() - 1 + kBehindBorder}}) {
    same += area.contains(at) && picture.is(at.x, at.y, colour) ? 1 : 0;
  }
  return same >= 3;
}

// Text in the middle is a button's. The text of a field begins at its left, and so does the caret.
bool is_button(const Rect& box, const Rect& ink, bool colour_around) {
  constexpr int kInset = 12;
  const int left = ink.x - box.x;
  const int right = box.right() - ink.right();
  const bool centred = ink.width > 0 && std::abs(left - right) <= std::max(6, box.width / 8);
  return centred && (left > kInset || colour_around);
}

bool is_title_bar(const Rect& box, const Rect& window) {
  constexpr int kBorder = 6;
  return box.y - window.y <= kBorder && 2 * box.width > window.width;
}

v1::Candidate field_at(const Rect& box, const std::string& label) {
  v1::Candidate candidate;
  candidate.set_source(v1::Candidate::SOURCE_PICTURE);
  candidate.set_score(kPictureScore);
  *candidate.mutable_bounds() = rect_to_wire(box);
  candidate.set_text(label);
  return candidate;
}

std::optional<std::size_t> labelled_by(const Rect& word, const std::vector<Rect>& boxes) {
  const auto near = [&](v1::Relation relation, int farthest) -> std::optional<std::size_t> {
    const auto found = nearest_place(word, boxes, relation, 0);
    if (!found) return std::nullopt;
    return distance_from(word, boxes[*found], relation).value_or(farthest + 1) <= farthest ? found : std::nullopt;
  };
  const auto right = near(v1::RELATION_RIGHT_OF, kFarthestLabel);
  return right ? right : near(v1::RELATION_BELOW, kFarthestAbove);
}

}  // namespace

std::vector<Rect> field_boxes(const frames::PixelView& frame, const Rect& area) {
  const Rect within = intersection(area, {0, 0, frame.width, frame.height});
  if (within.empty()) return {};
  const Picture picture(frame);
  std::vector<Rect> boxes;
  for (const PlainArea& region : PlainAreas(frame, within).found()) {
    const Rect& box = region.bounds;
    if (box.width < kLeastWidth || box.height < kLeastHeight || box.width < box.height) continue;
    if (4 * box.area() > 3 * within.area()) continue;  // The background.
    if (static_cast<double>(region.pixels) < kLeastOfArea * static_cast<double>(box.area())) continue;
    if (!picture.has_full_edges(box, region.colour)) continue;
    if (is_title_bar(box, within)) continue;
    const bool colour_around = has_colour_around(picture, box, region.colour, within);
    if (is_button(box, picture.ink(box, region.colour), colour_around)) continue;
    boxes.push_back(box);
  }
  // A panel holds other boxes; a field holds none.
  std::vector<Rect> fields;
  for (const Rect& box : boxes) {
    const bool holds = std::ranges::any_of(boxes, [&](const Rect& other) {
      return other != box && box.contains({other.x, other.y}) && box.contains({other.right() - 1, other.bottom() - 1});
    });
    if (!holds) fields.push_back(box);
  }
  sort_by_rows(fields, [](const Rect& box) { return box; });
  return fields;
}

std::vector<v1::Candidate> numbered_field(std::vector<Rect> boxes, std::uint32_t index) {
  std::erase_if(boxes, [](const Rect& box) { return box.height > kLineHeight; });
  std::vector<v1::Candidate> fields;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (index == 0 || i + 1 == index) fields.push_back(field_at(boxes[i], ""));
  }
  return fields;
}

std::vector<v1::Candidate> fields_beside(std::span<const v1::Candidate> words, const std::vector<Rect>& boxes,
                                         const LocatedTarget& target) {
  constexpr double kSameScore = 0.05;  // Scores of readings of the same word differ by less.
  std::vector<v1::Candidate> fields;
  for (const v1::Candidate& word : words) {
    if (word.score() < words.front().score() - kSameScore) break;
    const Rect at = rect_from_wire(word.bounds());
    const auto found = target.relation == v1::RELATION_UNSPECIFIED
                           ? labelled_by(at, boxes)
                           : nearest_place(at, boxes, target.relation, target.index);
    if (found) fields.push_back(field_at(boxes[*found], word.text()));
  }
  return fields;
}

}  // namespace da::observer
