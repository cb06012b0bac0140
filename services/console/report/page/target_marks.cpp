#include "services/console/report/page/target_marks.h"

#include <algorithm>

#include "lib/contract/evidence/evidence.h"

namespace da::console {
namespace {

// Doubles, because 32-bit values of a hostile file overflow integers here.
struct AxisPart {
  double begin;
  double end;
};
AxisPart part_of_axis(double at, double size, double desktop_at, double desktop_size, double image_size) {
  const double scale = image_size / desktop_size;
  return {std::clamp((at - desktop_at) * scale, 0.0, image_size),
          std::clamp((at + size - desktop_at) * scale, 0.0, image_size)};
}

class MarkList {
 public:
  explicit MarkList(const v1::CoordinateContract& contract) : contract_(contract) {}

  bool add(TargetMark::Kind kind, const v1::Rect& desktop) {
    const auto area = area_in_image(contract_, desktop);
    if (area) marks_.push_back({kind, *area});
    return area.has_value();
  }
  bool add_element(TargetMark::Kind kind, const v1::UiNode& element) {
    return add(kind, element.has_visible() ? element.visible() : element.bounds());
  }
  void add_point(std::int32_t x, std::int32_t y) {
    v1::Rect pixel;
    pixel.set_x(x);
    pixel.set_y(y);
    pixel.set_width(1);
    pixel.set_height(1);
    add(TargetMark::Kind::kPoint, pixel);
  }
  bool empty() const { return marks_.empty(); }
  std::vector<TargetMark> take() { return std::move(marks_); }

 private:
  const v1::CoordinateContract& contract_;
  std::vector<TargetMark> marks_;
};

}  // namespace

std::optional<ImageArea> area_in_image(const v1::CoordinateContract& contract, const v1::Rect& area) {
  const v1::Rect& desktop = contract.desktop();
  if (desktop.width() == 0 || desktop.height() == 0 || area.width() == 0 || area.height() == 0) return std::nullopt;
  const AxisPart x = part_of_axis(area.x(), area.width(), desktop.x(), desktop.width(), contract.image_width());
  const AxisPart y = part_of_axis(area.y(), area.height(), desktop.y(), desktop.height(), contract.image_height());
  if (x.begin >= x.end || y.begin >= y.end) return std::nullopt;
  return ImageArea{x.begin, y.begin, x.end - x.begin, y.end - y.begin};
}

std::vector<TargetMark> target_marks(const StoryStep& step, const v1::CoordinateContract& contract) {
  using Kind = TargetMark::Kind;
  MarkList marks(contract);
  if (step.judgements.empty() || !step.judgements.back().has_evidence()) {
    const v1::Action& action = step.step.action();
    if (action.has_mouse()) marks.add_point(action.mouse().x(), action.mouse().y());
    if (action.has_scroll()) marks.add_point(action.scroll().x(), action.scroll().y());
    return marks.take();
  }
  const v1::StepJudged& judged = step.judgements.back();
  const v1::Action& action = judged.step().action();
  const v1::Evidence& evidence = judged.evidence();
  const Kind kind = contract::is_keyboard_tool(action) ? Kind::kFocus : Kind::kTarget;
  const v1::UiNode* element = contract::subject_element(action, evidence);
  const bool has_area =
      (element != nullptr && marks.add_element(kind, *element)) || marks.add(Kind::kTarget, evidence.target_area());
  const v1::Window* window = contract::subject_window(action, evidence);
  if (!has_area && window != nullptr) marks.add(Kind::kWindow, window->bounds());
  if (!marks.add_element(Kind::kDrop, evidence.drop_element())) marks.add(Kind::kDrop, evidence.drop_area());
  if (evidence.has_target_point()) marks.add_point(evidence.target_point().x(), evidence.target_point().y());
  return marks.take();
}

}  // namespace da::console
