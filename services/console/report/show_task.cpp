#include <iomanip>
#include <iostream>

#include "lib/base/text.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/report/commands.h"
#include "services/console/report/story_json.h"
#include "services/console/report/story_reader.h"
#include "services/console/report/story_text.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

constexpr std::size_t kShownOfStoryText = 1000;  // Characters.

Result<TaskStory> story_of(const std::string& given) {
  ASSIGN_OR_RETURN(const auto file, find_recording(given));
  ASSIGN_OR_RETURN(const auto recording, recording::RecordingReader::open(file));
  return read_story(*recording, StoryImages::kWithout);
}

void print_field(const char* name, const std::string& text) {
  if (!text.empty()) std::cout << std::left << std::setw(14) << name << text << "\n";
}

void print_detail(const char* name, const std::string& text) {
  if (!text.empty()) std::cout << "                " << std::left << std::setw(10) << name << text << "\n";
}

void print_heading(const TaskStory& story) {
  const auto about = [&](const char* name) {
    return escape_foreign(recording::RecordingReader::value(story.about, name));
  };
  print_field("task", escape_foreign(story.task_id(), 60));
  print_field("goal", quote_foreign(story.goal(), kShownOfStoryText));
  print_field("result", result_words(story) +
                            (story.result ? ": " + escape_foreign(story.result->summary(), kShownOfStoryText) : ""));
  print_field("opened by", about("opened_by"));
  print_field("planner", about("planner"));
  print_field("desktop", about("desktop"));
  print_field("time", time_words(story.began) + ", " + duration_words(story.last - story.began));
  print_field("approvals", approvals_words(story.approvals));
  print_field("model", totals_words(story));
  print_field("recording", escape_foreign(story.file) + ", " + completeness_words(story));
}

void print_line(const TaskStory& story, WallTime at, const std::string& text) {
  std::cout << std::right << std::setw(12) << "+" + duration_words(at - story.began) << "  " << text << "\n";
}

void print_step(const TaskStory& story, std::size_t index) {
  const StoryStep& step = story.steps[index];
  print_line(story, step.at,
             std::to_string(index + 1) + "  " + action_words(step) + "  [" + status_words(step_status(step)) + "]");
  const std::string& why = step.step.justification();
  if (!why.empty()) print_detail("says", quote_foreign(why, kShownOfStoryText) + " (untrusted)");
  print_detail("verdict", verdict_words(step) + (risk_words(step).empty() ? "" : " [" + risk_words(step) + "]"));
  for (const StoryApproval& approval : step.approvals) {
    print_detail("asked by", asked_words(approval));
    print_detail("approval", answer_words(approval));
  }
  print_detail("outcome", outcome_words(step));
}

void print_story(const TaskStory& story) {
  print_heading(story);
  std::cout << "\n";
  for (const StoryEntry& entry : story.entries) {
    if (entry.kind == StoryEntry::Kind::kStep) {
      print_step(story, entry.index);
    } else if (entry.kind == StoryEntry::Kind::kCall) {
      print_line(story, entry.at, "model  " + story.calls[entry.index].words);
    } else {
      const StoryEvent& event = story.events[entry.index];
      print_line(story, entry.at, event.noun + "  " + event.text);
    }
  }
}

}  // namespace

int show_task(const std::string& given, Format format) {
  ASSIGN_OR_REPORT(const auto story, story_of(given));
  if (format == Format::kJson) {
    std::cout << ordered_json_line(story_json(story)) << "\n";
  } else {
    print_story(story);
  }
  return kDone;
}

}  // namespace da::console
