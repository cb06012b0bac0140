// The entries of a report's history: steps with their screenshots, calls of a model, events. Not thread-safe.
#pragma once

#include "services/console/report/page/html_writer.h"
#include "services/console/report/page/report_images.h"
#include "services/console/report/story_text.h"

namespace da::console {

// The class of a status in the style sheet.
HtmlWriter::Markup status_class(StepStatus status);

class ReportEntries {
 public:
  // All must outlive this.
  ReportEntries(const TaskStory& story, const ReportImageTable& images, HtmlWriter& html)
      : story_(story), images_(images), html_(html) {}

  // All entries in order.
  void write();
  // An image without marks; nothing if the page does not contain it.
  void write_figure(const std::string& hash, HtmlWriter::Markup caption, WallTime at);

 private:
  void write_when(WallTime at, WallTime before);
  void write_step(std::size_t index, WallTime before);
  void write_call(const StoryCall& call, WallTime before);
  void write_event(const StoryEvent& event, WallTime before);
  void write_proposal(const StoryStep& step);
  void write_judgement(const StoryStep& step);
  void write_evidence(const v1::Evidence& evidence);
  void write_approvals(const StoryStep& step);
  void write_result(const StoryStep& step);
  void write_shots(const StoryStep& step);
  void write_screenshot(const StoryStep& step, const ReportImageTable::Entry& image);
  void begin_figure(const ReportImageTable::Entry& image);
  void write_offset(WallTime at);
  // A row of a definition list with foreign or own text; nothing if it is empty.
  void row(HtmlWriter::Markup name, const Foreign& text);

  const TaskStory& story_;
  const ReportImageTable& images_;
  HtmlWriter& html_;
};

}  // namespace da::console
