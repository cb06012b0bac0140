#include "services/console/report/page/report_entries.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "lib/contract/evidence/evidence.h"
#include "lib/contract/named_action.h"
#include "services/console/report/page/target_marks.h"

namespace da::console {
namespace {

using Markup = HtmlWriter::Markup;

constexpr std::size_t kShownOfCall = 4000;   // Characters of an action's arguments.
constexpr std::size_t kShownOfWords = 2000;  // Characters of a justification, a title, a name or other text.
constexpr double kDetailWidth = 360;         // Pixels of the image that a detail shows.
constexpr double kDetailHeight = 170;
constexpr double kLargeTarget = 0.5;  // Part of the image's width: a wider target needs no detail.

Markup mark_class(TargetMark::Kind kind) {
  switch (kind) {
    case TargetMark::Kind::kDrop: return "drop";
    case TargetMark::Kind::kFocus: return "focus";
    case TargetMark::Kind::kWindow: return "window";
    default: return "target";
  }
}

Markup mark_words(TargetMark::Kind kind) {
  switch (kind) {
    case TargetMark::Kind::kDrop: return "blue: where it drops";
    case TargetMark::Kind::kFocus: return "orange: the element with the keyboard focus";
    case TargetMark::Kind::kWindow: return "dashed: the window";
    default: return "red: the target";
  }
}

void write_rectangle(HtmlWriter& html, Markup style, const ImageArea& area) {
  html << "<rect class=\"" << style << "\" x=\"" << Decimal{area.x} << "\" y=\"" << Decimal{area.y} << "\" width=\""
       << Decimal{area.width} << "\" height=\"" << Decimal{area.height} << "\"/>";
}

void write_cross(HtmlWriter& html, Markup style, const ImageArea& pixel) {
  constexpr double kArm = 12;
  const double x = pixel.x + pixel.width / 2;
  const double y = pixel.y + pixel.height / 2;
  html << "<path class=\"" << style << "\" d=\"M" << Decimal{x - kArm} << " " << Decimal{y} << "H" << Decimal{x + kArm}
       << "M" << Decimal{x} << " " << Decimal{y - kArm} << "V" << Decimal{y + kArm} << "\"/>";
}

void write_marks(HtmlWriter& html, const std::vector<TargetMark>& marks) {
  for (const TargetMark& mark : marks) {
    const auto draw = mark.kind == TargetMark::Kind::kPoint ? write_cross : write_rectangle;
    draw(html, "halo", mark.area);
    html << "<g class=\"" << mark_class(mark.kind) << "\">";
    draw(html, "mark", mark.area);
    html << "</g>";
  }
}

}  // namespace

HtmlWriter::Markup status_class(StepStatus status) {
  switch (status) {
    case StepStatus::kDone: return "done";
    case StepStatus::kUnproven: return "unproven";
    case StepStatus::kJudged: return "judged";
    case StepStatus::kDenied: return "denied";
    case StepStatus::kNoEffect:
    case StepStatus::kRefused:
    case StepStatus::kFailed: return "failed";
    case StepStatus::kUnknown: return "unknown";
    case StepStatus::kOpen: break;
  }
  return "open";
}

void ReportEntries::write() {
  WallTime before = story_.began;
  for (const StoryEntry& entry : story_.entries) {
    switch (entry.kind) {
      case StoryEntry::Kind::kStep: write_step(entry.index, before); break;
      case StoryEntry::Kind::kCall: write_call(story_.calls[entry.index], before); break;
      case StoryEntry::Kind::kEvent: write_event(story_.events[entry.index], before); break;
    }
    before = entry.at;
  }
}

void ReportEntries::write_offset(WallTime at) { html_ << "+" << Text{duration_words(at - story_.began)}; }

void ReportEntries::write_when(WallTime at, WallTime before) {
  html_ << "<div class=\"when\">";
  write_offset(at);
  html_ << "<span>" << Text{duration_words(at - before)} << " later</span></div>\n";
}

void ReportEntries::row(Markup name, const Foreign& text) {
  if (!text.text.empty()) html_ << "<dt>" << name << "</dt><dd>" << text << "</dd>\n";
}

void ReportEntries::write_event(const StoryEvent& event, WallTime before) {
  const bool notable = event.weight == StoryEvent::Weight::kNotable;
  html_ << "<section class=\"entry event" << (notable ? Markup(" notable bad") : Markup("")) << "\">";
  write_when(event.at, before);
  html_ << "<div class=\"text\"><span class=\"noun\">" << Text{event.noun} << "</span> "
        << Foreign{event.text, kShownOfWords} << "</div></section>\n";
}

void ReportEntries::write_call(const StoryCall& entry, WallTime before) {
  const v1::ModelCall& call = entry.call;
  html_ << "<section class=\"entry call" << (call.finish() == "complete" ? Markup("") : Markup(" bad")) << "\">";
  write_when(entry.at, before);
  html_ << "<div class=\"text\"><span class=\"noun\">model</span> " << Foreign{entry.words, kShownOfWords};
  if (!call.finish().empty()) html_ << " (" << Foreign{call.finish(), 40} << ")";
  const auto fold = [&](Markup title, const std::string& text) {
    if (text.empty()) return;
    html_ << "<details><summary>" << title << ", " << text.size() << " bytes, untrusted</summary><pre>"
          << ForeignLines{text} << "</pre></details>";
  };
  fold("reply", call.reply());
  fold("calls of its computer tool", call.tool_calls());
  html_ << "</div></section>\n";
}

void ReportEntries::write_step(std::size_t index, WallTime before) {
  const StoryStep& step = story_.steps[index];
  const StepStatus status = step_status(step);
  const bool bad = status != StepStatus::kDone && status != StepStatus::kUnproven && status != StepStatus::kJudged;
  html_ << "<section class=\"entry step" << (step.approvals.empty() ? Markup("") : Markup(" asked"))
        << (bad ? Markup(" bad") : Markup("")) << "\" id=\"step-" << index + 1 << "\">";
  write_when(step.at, before);
  html_ << "<div><h3><span>" << index + 1 << "</span><span class=\"words\">"
        << Foreign{action_words(step), kShownOfWords} << "</span><span class=\"badge " << status_class(status) << "\">"
        << Text{status_words(status)} << "</span></h3>\n<dl class=\"details\">";
  write_proposal(step);
  write_judgement(step);
  write_approvals(step);
  write_result(step);
  html_ << "</dl></div>\n";
  write_shots(step);
  html_ << "</section>\n";
}

void ReportEntries::write_proposal(const StoryStep& step) {
  const auto untrusted = [&](Markup name, const std::string& text) {
    if (text.empty()) return;
    html_ << "<dt>" << name << "</dt><dd class=\"untrusted\">" << Foreign{text, kShownOfWords} << "</dd>\n";
  };
  untrusted("proposer says", step.step.justification());
  for (const std::string& concern : step.step.concerns()) untrusted("concern", concern);
  untrusted("its target", step.step.target());
  if (contract::tool_of(step.step.action()) == nullptr) return;
  const std::string call = contract::describe(step.step.action(), contract::Extent::kWhole);
  if (call == action_words(step)) return;
  html_ << "<dt>call</dt><dd><code>" << Foreign{call, kShownOfCall} << "</code></dd>\n";
}

void ReportEntries::write_judgement(const StoryStep& step) {
  row("verdict", {verdict_words(step), kShownOfWords});
  row("risk", {risk_words(step)});
  if (!step.judgements.empty()) write_evidence(step.judgements.back().evidence());
}

void ReportEntries::write_evidence(const v1::Evidence& evidence) {
  const v1::Window& window = evidence.has_target_window() ? evidence.target_window() : evidence.foreground();
  const v1::UiNode& element = evidence.has_target_element() ? evidence.target_element() : evidence.focused_element();
  row("window", {window.title(), kShownOfWords});
  row("program", {window.executable(), kShownOfWords});
  if (!element.role().empty() || !element.name().empty())
    row("element", {contract::name_element(element), kShownOfWords});
  row("drop on", {contract::name_target(evidence.drop_element(), evidence.drop_window()), kShownOfWords});
  for (const v1::Window& passed : evidence.passed_windows()) {
    row("passes", {contract::name_target({}, passed), kShownOfWords});
  }
  row("path", {evidence.canonical_path(), kShownOfWords});
  row("problem", {evidence.problem(), kShownOfWords});
}

void ReportEntries::write_approvals(const StoryStep& step) {
  for (const StoryApproval& approval : step.approvals) {
    row("asked by", {asked_words(approval), kShownOfWords});
    html_ << "<dt>approval</dt><dd>" << Foreign{answer_words(approval), kShownOfWords};
    if (approval.request && approval.request->approvals_needed() > 1) {
      html_ << "; " << approval.request->approvals_needed() << " people had to approve";
    }
    html_ << "</dd>\n";
  }
  row("granted by", {step.grant_approver, 200});
}

void ReportEntries::write_result(const StoryStep& step) {
  for (const StoryOutcome& outcome : step.outcomes) {
    row("outcome", {outcome_words(outcome.outcome), kShownOfWords});
  }
  if (step.outcomes.empty()) row("answer", {outcome_words(step), kShownOfWords});
  if (step.ended > step.at) row("took", {duration_words(step.ended - step.at)});
}

void ReportEntries::write_shots(const StoryStep& step) {
  html_ << "<div class=\"shots\">";
  if (step.match != StoryStep::Match::kNone) {
    const auto image = images_.find(story_.screenshots[step.screenshot].image_hash);
    if (image) write_screenshot(step, *image);
  }
  for (const StoryApproval& approval : step.approvals) {
    write_figure(approval.picture_hash, "the picture that the approver got", approval.asked);
  }
  html_ << "</div>";
}

void ReportEntries::begin_figure(const ReportImageTable::Entry& image) {
  html_ << "<figure><label><input type=\"checkbox\" aria-label=\"enlarge\"><svg viewBox=\"0 0 " << image.image->width
        << " " << image.image->height << "\" role=\"img\" aria-label=\"screenshot\"><use href=\"#i" << image.number
        << "\"/>";
}

void ReportEntries::write_screenshot(const StoryStep& step, const ReportImageTable::Entry& image) {
  const StoryScreenshot& shot = story_.screenshots[step.screenshot];
  v1::CoordinateContract coordinates = shot.coordinates;
  coordinates.set_image_width(image.image->width);
  coordinates.set_image_height(image.image->height);
  const auto marks = target_marks(step, coordinates);
  begin_figure(image);
  write_marks(html_, marks);
  html_ << "</svg></label>\n";
  const bool has_picture = std::ranges::any_of(
      step.approvals, [&](const StoryApproval& approval) { return images_.find(approval.picture_hash).has_value(); });
  if (!has_picture && !marks.empty() && marks.front().kind != TargetMark::Kind::kWindow &&
      marks.front().area.width < kLargeTarget * image.image->width) {
    const ImageArea& area = marks.front().area;
    const double width = std::max(kDetailWidth, area.width * 1.2);
    const double height = std::max(kDetailHeight, area.height * 1.2);
    html_ << "<svg class=\"detail\" viewBox=\"" << Decimal{area.x + area.width / 2 - width / 2} << " "
          << Decimal{area.y + area.height / 2 - height / 2} << " " << Decimal{width} << " " << Decimal{height}
          << "\" role=\"img\" aria-label=\"the target, enlarged\"><use href=\"#i" << image.number << "\"/>";
    write_marks(html_, marks);
    html_ << "</svg>\n";
  }
  html_ << "<figcaption>";
  if (step.match == StoryStep::Match::kSameFrame) {
    html_ << "the screen on which the step was decided";
  } else {
    html_ << "the last screenshot before the step, ";
    write_offset(shot.at);
  }
  for (const TargetMark& mark : marks) {
    if (mark.kind != TargetMark::Kind::kPoint || marks.size() == 1) html_ << "; " << mark_words(mark.kind);
  }
  html_ << "</figcaption></figure>\n";
}

void ReportEntries::write_figure(const std::string& hash, Markup caption, WallTime at) {
  const auto image = images_.find(hash);
  if (!image) return;
  begin_figure(*image);
  html_ << "</svg></label><figcaption>" << caption << ", ";
  write_offset(at);
  html_ << "</figcaption></figure>\n";
}

}  // namespace da::console
