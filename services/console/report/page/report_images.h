// The images of a report. Each is in the page once, as an SVG definition to which steps refer by number. Not
// thread-safe.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/recording/reading/recording_reader.h"
#include "services/console/report/page/html_writer.h"
#include "services/console/report/task_story.h"

namespace da::console {

enum class ReportImages {
  kSteps,  // Those that steps were decided on and approvers saw, and the last one.
  kAll,    // Every image of the recording.
  kNone,
};

class ReportImageTable {
 public:
  // `story` must have been read with images unless `which` is kNone, and must outlive this.
  ReportImageTable(const TaskStory& story, ReportImages which);

  struct Entry {
    std::size_t number;
    const StoryImage* image;
  };
  // nullopt if the page does not contain the image.
  std::optional<Entry> find(const std::string& hash) const;
  // Images that no step refers to, in order of time; empty unless kAll.
  const std::vector<std::string>& others() const { return others_; }

  // Reads the images again, one at a time, and writes their definitions.
  Result<void> write_definitions(const recording::RecordingReader& recording, HtmlWriter& html) const;

 private:
  bool add(const std::string& hash);

  const TaskStory& story_;
  std::map<std::string, std::size_t> numbers_;  // Keyed by hash.
  std::vector<std::string> others_;
};

}  // namespace da::console
