#include "services/console/report/page/report_images.h"

#include <algorithm>
#include <set>

#include "da/v1/observation.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/bus/topics.h"
#include "services/console/report/page/image_size.h"
#include "services/console/report/story_reader.h"

namespace da::console {

ReportImageTable::ReportImageTable(const TaskStory& story, ReportImages which) : story_(story) {
  if (which == ReportImages::kNone) return;
  for (const StoryStep& step : story.steps) {
    if (step.match != StoryStep::Match::kNone) add(story.screenshots[step.screenshot].image_hash);
    for (const StoryApproval& approval : step.approvals) add(approval.picture_hash);
  }
  if (story.result) add(story.result->last_image_hash());
  if (which != ReportImages::kAll) return;
  for (const auto& [hash, image] : story.images) {
    if (add(hash)) others_.push_back(hash);
  }
  std::ranges::sort(others_, {}, [&](const std::string& hash) { return story.images.at(hash).at; });
}

// False if the page has it already, or the recording lacks it.
bool ReportImageTable::add(const std::string& hash) {
  return story_.images.contains(hash) && numbers_.try_emplace(hash, numbers_.size() + 1).second;
}

std::optional<ReportImageTable::Entry> ReportImageTable::find(const std::string& hash) const {
  const auto number = numbers_.find(hash);
  if (number == numbers_.end()) return std::nullopt;
  return Entry{number->second, &story_.images.at(hash)};
}

Result<void> ReportImageTable::write_definitions(const recording::RecordingReader& recording, HtmlWriter& html) const {
  if (numbers_.empty()) return ok();
  std::set<std::string> written;
  const auto define = [&](const std::string& hash, const std::string& bytes) {
    const auto entry = find(hash);
    const auto size = image_size(bytes);
    if (!entry || !size || !written.insert(hash).second || image_hash_of(bytes) != hash) return;
    html << "<image id=\"i" << entry->number << "\" width=\"" << size->width << "\" height=\"" << size->height
         << "\" href=\"" << DataUrl{size->media_type, bytes} << "\"/>\n";
  };
  html << "<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n";
  const recording::McapRange range{
      .topics = {bus::topic_name<v1::ImageFact>(), bus::topic_name<v1::ApprovalRequest>()}};
  auto read = recording.facts(range, [&](const auto& fact) {
    if (const auto* image = fact.template as<v1::ImageFact>()) define(image->image_hash(), image->data());
    if (const auto* asked = fact.template as<v1::ApprovalRequest>()) {
      const std::string& picture = asked->evidence().picture_png();
      if (!picture.empty()) define(image_hash_of(picture), picture);
    }
    return ok();
  });
  html << "</defs></svg>\n";
  // Damage is in the story already; its facts, and so its images, end there.
  if (!read && read.error().code != Code::kDataLoss) return read;
  return ok();
}

}  // namespace da::console
