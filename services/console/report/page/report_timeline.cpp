#include "services/console/report/page/report_timeline.h"

#include <algorithm>

#include "services/console/report/page/report_entries.h"
#include "services/console/report/story_text.h"

namespace da::console {
namespace {

using Markup = HtmlWriter::Markup;

constexpr double kLabels = 80;  // Left of the strip.
constexpr double kStrip = 1000;
constexpr double kLane = 22;
constexpr double kBar = 14;
constexpr double kShortestBar = 3;
constexpr int kTicks = 5;

class Timeline {
 public:
  Timeline(const TaskStory& story, HtmlWriter& html)
      : story_(story), html_(html), seconds_(std::chrono::duration<double>(story.last - story.began).count()) {}

  void write() {
    if (seconds_ <= 0 || story_.entries.empty()) return;
    const bool models = !story_.calls.empty();
    const bool asked = story_.approvals.asked > 0;
    const double height = kLane * (1 + models + asked) + 18;
    html_ << "<svg class=\"strip\" viewBox=\"0 0 " << Decimal{kLabels + kStrip + 10} << " " << Decimal{height}
          << "\" role=\"img\" aria-label=\"timeline\">\n";
    if (models) lane("model", [this] { write_calls(); });
    lane("steps", [this] { write_steps(); });
    if (asked) lane("approvals", [this] { write_approvals(); });
    write_axis();
    html_ << "</svg>\n";
  }

 private:
  double x_of(WallTime at) const {
    const double second = std::chrono::duration<double>(at - story_.began).count();
    return kLabels + std::clamp(second / seconds_, 0.0, 1.0) * kStrip;
  }

  template <class Bars>
  void lane(Markup name, Bars bars) {
    html_ << "<text x=\"0\" y=\"" << Decimal{y_ + 15} << "\">" << name << "</text><rect class=\"lane\" x=\""
          << Decimal{kLabels} << "\" y=\"" << Decimal{y_ + 2} << "\" width=\"" << Decimal{kStrip} << "\" height=\""
          << Decimal{kLane - 4} << "\"/>\n";
    bars();
    y_ += kLane;
  }

  void bar(WallTime from, WallTime to, Markup style) {
    const double x = x_of(from);
    html_ << "<rect class=\"bar " << style << "\" x=\"" << Decimal{x} << "\" y=\"" << Decimal{y_ + (kLane - kBar) / 2}
          << "\" width=\"" << Decimal{std::max(kShortestBar, x_of(to) - x)} << "\" height=\"" << Decimal{kBar}
          << "\"/>";
  }

  void write_steps() {
    for (std::size_t i = 0; i < story_.steps.size(); ++i) {
      const StoryStep& step = story_.steps[i];
      html_ << "<a href=\"#step-" << i + 1 << "\">";
      bar(step.at, std::max(step.at, step.ended), status_class(step_status(step)));
      html_ << "</a>\n";
    }
  }

  void write_calls() {
    for (const StoryCall& call : story_.calls) {
      bar(call.at - Milliseconds(call.call.latency_ms()), call.at, "open");
    }
  }

  void write_approvals() {
    for (const StoryStep& step : story_.steps) {
      for (const StoryApproval& approval : step.approvals) {
        const bool approved = approval.decision && approval.decision->answer() == v1::ApprovalDecision::ANSWER_APPROVED;
        const WallTime until = approval.decision ? approval.answered : story_.last;
        bar(approval.asked == WallTime{} ? until : approval.asked, until, approved ? Markup("done") : Markup("denied"));
      }
    }
  }

  void write_axis() {
    for (int i = 0; i <= kTicks; ++i) {
      const double x = kLabels + kStrip * i / kTicks;
      const Markup anchor = i == kTicks ? Markup("end") : i == 0 ? Markup("start") : Markup("middle");
      html_ << "<line class=\"axis\" x1=\"" << Decimal{x} << "\" x2=\"" << Decimal{x} << "\" y1=\"0\" y2=\""
            << Decimal{y_ + 3} << "\"/><text x=\"" << Decimal{x} << "\" y=\"" << Decimal{y_ + 15} << "\" text-anchor=\""
            << anchor << "\">";
      const auto at = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds_ * i / kTicks));
      html_ << Text{duration_words(at)} << "</text>\n";
    }
  }

  const TaskStory& story_;
  HtmlWriter& html_;
  const double seconds_;
  double y_ = 0;
};

}  // namespace

void write_timeline(const TaskStory& story, HtmlWriter& html) { Timeline(story, html).write(); }

}  // namespace da::console
