#include <iostream>

#include "lib/base/text.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/report/commands.h"
#include "services/console/report/page/report_page.h"
#include "services/console/report/report_file.h"
#include "services/console/report/story_reader.h"
#include "services/console/report/story_text.h"

namespace da::console {

int write_report(const ReportOptions& options) {
  ASSIGN_OR_REPORT(const auto file, find_recording(options.recording));
  ASSIGN_OR_REPORT(const auto recording, recording::RecordingReader::open(file));
  ASSIGN_OR_REPORT(auto output,
                   ReportFile::create(options.output, options.force ? Existing::kReplace : Existing::kRefuse));
  const TaskStory story =
      read_story(*recording, options.images == ReportImages::kNone ? StoryImages::kWithout : StoryImages::kWith);
  const auto write = [&](std::string_view bytes) { return output.write(bytes); };
  auto written = write_report(*recording, story, options.images, write);
  if (written) written = output.finish();
  if (!written) return report(written.error());
  if (const std::string missing = completeness_words(story); missing != "complete") {
    std::cerr << "da-console: the report may lack something: " << missing << "\n";
  }
  std::cout << "wrote " << options.output.string() << ": " << story.steps.size() << " steps, " << result_words(story)
            << "\n";
  return kDone;
}

}  // namespace da::console
