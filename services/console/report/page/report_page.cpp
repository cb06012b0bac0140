#include "services/console/report/page/report_page.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/service/version.h"
#include "services/console/report/page/report_entries.h"
#include "services/console/report/page/report_style.h"
#include "services/console/report/page/report_timeline.h"
#include "services/console/report/story_text.h"

namespace da::console {
namespace {

using Markup = HtmlWriter::Markup;

constexpr std::size_t kShownOfGoal = 4000;  // Characters.
constexpr std::size_t kShownOfTitle = 100;
constexpr std::size_t kShownOfRuleFile = 400'000;

Markup result_class(const TaskStory& story) {
  if (!story.result) return "open";
  switch (story.result->end()) {
    case v1::TASK_END_DONE: return "done";
    case v1::TASK_END_DENIED:
    case v1::TASK_END_EXPIRED:
    case v1::TASK_END_HALTED: return "denied";
    case v1::TASK_END_UNKNOWN_OUTCOME: return "unknown";
    default: return "failed";
  }
}

class ReportPage {
 public:
  ReportPage(const TaskStory& story, const ReportImageTable& images, HtmlWriter& html)
      : story_(story), images_(images), html_(html), entries_(story, images, html) {}

  void write_body();

 private:
  void write_head();
  void write_header();
  void write_about();
  void about(Markup name, const std::string& text, Markup style = "");
  void write_glance();
  void write_history();
  void write_last_screenshots();
  void write_rules();

  const TaskStory& story_;
  const ReportImageTable& images_;
  HtmlWriter& html_;
  ReportEntries entries_;
};

void ReportPage::write_head() {
  html_ << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
           "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
           "<meta name=\"referrer\" content=\"no-referrer\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        // A title holds text only, so that <bdi> would show.
        << Text{story_.goal(), kShownOfTitle} << " - report</title>\n<style>" << Markup(kReportStyle)
        << "</style>\n</head>\n";
}

void ReportPage::about(Markup name, const std::string& text, Markup style) {
  if (text.empty()) return;
  html_ << "<div class=\"" << style << "\"><dt>" << name << "</dt><dd>" << Foreign{text} << "</dd></div>\n";
}

void ReportPage::write_about() {
  using recording::RecordingReader;
  const auto value = [&](const char* name) { return RecordingReader::value(story_.about, name); };
  const v1::OpenTaskRequest& opened =
      story_.opened ? story_.opened->request() : v1::OpenTaskRequest::default_instance();
  const v1::PolicyState& state = story_.opened ? story_.opened->state() : v1::PolicyState::default_instance();
  html_ << "<dl class=\"about\">\n";
  about("began", time_words(story_.began));
  about("ended", time_words(story_.last));
  about("duration", duration_words(story_.last - story_.began));
  about("opened by", value("opened_by"));
  std::string planner = value("planner");
  if (story_.accepted && !story_.accepted->request().model().empty())
    planner += ", " + story_.accepted->request().model();
  about("planner", planner);
  about("desktop", value("desktop"));
  about("steps", counts_words(story_));
  about("approvals", approvals_words(story_.approvals));
  about("model", totals_words(story_));
  if (story_.opened) {
    about("write lock at the start", state.write_lock_open() ? "open" : "closed");
    about("second factor", state.second_factor_enrolled() ? "enrolled" : "not enrolled");
    if (opened.dry_run()) about("dry run", "nothing was to be carried out");
    about("only these tools", join(opened.allowed_tools(), ", "));
    about("halt at the start", state.halt() == "no" ? "" : state.halt());
    about("problem of the rules", state.rules_problem());
  }
  about("version", "program " + value("version") + ", format " + value("format"));
  about("task", story_.task_id());
  about("recording", story_.file);
  about("completeness", completeness_words(story_));
  about("rules", state.rules_file() + (state.rules_file().empty() ? "" : ", ") + "version " + state.rules_version(),
        "wide");
  html_ << "</dl>\n";
}

void ReportPage::write_header() {
  html_ << "<header>\n<p class=\"kind\">Report of a task</p>\n<h1>" << Foreign{story_.goal(), kShownOfGoal}
        << "</h1>\n<p class=\"lead\"><span class=\"badge " << result_class(story_) << "\">"
        << Text{result_words(story_)} << "</span> "
        << Foreign{story_.result ? story_.result->summary() : "", kShownOfGoal} << "</p>\n";
  if (const std::string missing = completeness_words(story_); missing != "complete") {
    html_ << "<p class=\"warning\">This report may lack something: " << Foreign{missing, kShownOfGoal} << "</p>\n";
  }
  write_about();
  html_ << "</header>\n";
}

void ReportPage::write_glance() {
  if (story_.steps.empty()) return;
  html_ << "<h2>Steps at a glance</h2>\n";
  write_timeline(story_, html_);
  html_ << "<table class=\"glance\"><thead><tr><th></th><th>at</th><th>step</th><th>risk</th><th>verdict</th>"
           "<th>approval</th><th>result</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < story_.steps.size(); ++i) {
    const StoryStep& step = story_.steps[i];
    const StepStatus status = step_status(step);
    html_ << "<tr><td class=\"number\"><a href=\"#step-" << i + 1 << "\">" << i + 1 << "</a></td><td class=\"number\">+"
          << Text{duration_words(step.at - story_.began)} << "</td><td class=\"words\">"
          << Foreign{action_words(step), 200} << "</td><td>" << Text{risk_words(step)} << "</td><td>"
          << Foreign{verdict_words(step).substr(0, verdict_words(step).find(':')), 80} << "</td><td>";
    for (const StoryApproval& approval : step.approvals) html_ << Foreign{answer_words(approval), 120} << " ";
    html_ << "</td><td class=\"" << status_class(status) << "\">" << Text{status_words(status)} << "</td></tr>\n";
  }
  html_ << "</tbody></table>\n";
}

void ReportPage::write_history() {
  html_ << "<h2>History</h2>\n<fieldset class=\"filter\">"
           "<label><input type=\"radio\" name=\"show\" checked> everything</label>"
           "<label><input type=\"radio\" name=\"show\" id=\"only-steps\"> steps</label>"
           "<label><input type=\"radio\" name=\"show\" id=\"only-asked\"> steps that a person was asked about</label>"
           "<label><input type=\"radio\" name=\"show\" id=\"only-bad\"> denied, failed and unusual</label>";
  if (!story_.calls.empty()) {
    html_ << "<label><input type=\"radio\" name=\"show\" id=\"only-calls\"> calls of the model</label>";
  }
  html_ << "<label><input type=\"radio\" name=\"show\" id=\"only-events\"> locks, pauses, questions, logs</label>"
           "</fieldset>\n";
  entries_.write();
}

void ReportPage::write_last_screenshots() {
  if (story_.result && images_.find(story_.result->last_image_hash())) {
    html_ << "<h2>The last screenshot</h2>\n<div class=\"gallery entry step\">";
    entries_.write_figure(story_.result->last_image_hash(), "the screen at the end", story_.last);
    html_ << "</div>\n";
  }
  if (images_.others().empty()) return;
  html_ << "<h2>Other images</h2>\n<div class=\"gallery\">";
  for (const std::string& hash : images_.others()) {
    entries_.write_figure(hash, "an image that no step refers to", story_.images.at(hash).at);
  }
  html_ << "</div>\n";
}

void ReportPage::write_rules() {
  for (const v1::RuleFile& rules : story_.rules) {
    html_ << "<h2>Rules</h2>\n<p class=\"kind\">version " << Foreign{rules.version(), 100}
          << "</p><details><summary>the rule file in force</summary><pre>"
          << ForeignLines{rules.toml(), kShownOfRuleFile} << "</pre></details>\n";
  }
}

void ReportPage::write_body() {
  write_head();
  html_ << "<body>\n";
  write_header();
  html_ << "<main>\n";
  write_glance();
  write_history();
  write_last_screenshots();
  write_rules();
  html_ << "</main>\n<footer>Times are UTC, and when the recorder received a fact. Text marked as untrusted, goals, "
           "window titles and messages come from models and other programs; control and invisible characters are shown "
           "as escapes. Made by da-console "
        << Text{service::kVersion} << " from the recording alone.</footer>\n";
}

}  // namespace

Result<void> write_report(const recording::RecordingReader& recording, const TaskStory& story, ReportImages images,
                          const HtmlWriter::Sink& sink) {
  HtmlWriter html(sink);
  const ReportImageTable table(story, images);
  ReportPage(story, table, html).write_body();
  RETURN_IF_ERROR(table.write_definitions(recording, html));
  html << "</body>\n</html>\n";
  return html.finish();
}

}  // namespace da::console
