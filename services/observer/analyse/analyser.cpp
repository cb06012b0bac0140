#include "services/observer/analyse/analyser.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <variant>

#include "lib/base/clock.h"
#include "lib/base/id.h"
#include "services/observer/analyse/analyze_limits.h"
#include "services/observer/analyse/answers.h"
#include "services/observer/frames/wire.h"
#include "services/observer/image/annotate.h"
#include "services/observer/image/scale.h"

namespace da::observer {
namespace {

constexpr std::size_t kMostTexts = 16;
constexpr Milliseconds kLongestWait{30'000};
// Between two looks at regions that are drawn again without a change.
constexpr Milliseconds kFirstPause{10};
constexpr Milliseconds kLongestPause{100};

Rect part_of_frame(const Region& region, const FrameStore& store) {
  return {region.visible.x - store.desktop().x, region.visible.y - store.desktop().y, region.visible.width,
          region.visible.height};
}

void pause_for(Milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  stopped.wait_for(lock, stop, time, [] { return false; });
}
constexpr std::size_t kImageHashBytes = 16;

}  // namespace

struct Analyser::Work {
  const v1::RegionQuery& query;
  v1::RegionAnalysis& answer;
  Rect part;     // The region's visible part, in pixels of the frame.
  Point offset;  // The part's top left corner, relative to the region's.
  frames::PixelView pixels;
  ImagePyramid pyramid;
};

Result<v1::AnalyzeReply> Analyser::analyze(const v1::AnalyzeRequest& request, const std::stop_token& stop) {
  RETURN_IF_ERROR(check_limits(request));
  if (request.seen().empty() || request.max_wait_ms() == 0) return look(request, stop);
  const Clock& clock = system_clock();
  const MonoTime deadline = clock.now() + std::min(Milliseconds(request.max_wait_ms()), kLongestWait);
  pause_for(std::min(Milliseconds(std::min(request.min_wait_ms(), request.max_wait_ms())), kLongestWait), stop);
  Milliseconds pause = kFirstPause;
  while (true) {
    if (auto awaited = find_awaited(request)) {
      const auto left = std::chrono::ceil<Milliseconds>(deadline - clock.now());
      awaited->request.set_max_wait_ms(static_cast<std::uint32_t>(std::max<std::int64_t>(left.count(), 0)));
      ASSIGN_OR_RETURN(const auto waited, frames_.await_change(awaited->request, stop));
      if (!waited.changed()) return std::move(awaited->unchanged);
    }
    ASSIGN_OR_RETURN(auto reply, look(request, stop));
    if (!reply.unchanged() || clock.now() >= deadline) return reply;
    // The same pixels were drawn again: an application that does so all the time must not keep a core busy.
    pause_for(pause, stop);
    pause = std::min(2 * pause, kLongestPause);
  }
}

Result<v1::AnalyzeReply> Analyser::look(const v1::AnalyzeRequest& request, const std::stop_token& stop) {
  const auto lock = frames_.look_for({request.task_id(), request.observation_token()});
  const MonoTime begun = system_clock().now();
  RETURN_IF_ERROR(frames_.refresh({}));
  add_templates(request);
  task_id_ = request.task_id();
  auto placed = place_all(request);
  v1::AnalyzeReply reply = begin_reply(placed);
  reply.set_unchanged(!request.seen().empty() && reply.seen() == request.seen());
  for (std::size_t i = 0; i < placed.size() && !reply.unchanged(); ++i) {
    analyse(request.regions(static_cast<int>(i)), stop, placed[i]);
    *reply.add_regions() = std::move(placed[i].answer);
    if (stop.stop_requested()) return Error{Code::kCancelled, "Analyze was cancelled"};
  }
  const auto work = std::chrono::duration_cast<std::chrono::microseconds>(system_clock().now() - begun);
  reply.set_work_us(static_cast<std::uint32_t>(work.count()));
  return reply;
}

std::optional<Analyser::Awaited> Analyser::find_awaited(const v1::AnalyzeRequest& request) {
  const auto lock = frames_.look_for({request.task_id(), request.observation_token()});
  const FrameStore& store = frames_.store();
  if (store.known_frame_id().empty()) return std::nullopt;
  const auto placed = place_all(request);
  Awaited awaited{{}, begin_reply(placed)};
  if (awaited.unchanged.seen() != request.seen()) return std::nullopt;
  awaited.unchanged.set_unchanged(true);
  awaited.request.set_observation_token(request.observation_token());
  awaited.request.set_known_frame_id(store.known_frame_id());
  for (const Placed& each : placed) {
    if (each.region) *awaited.request.add_areas() = rect_to_wire(each.region->visible);
  }
  const bool windows = std::ranges::any_of(request.regions(), &v1::RegionQuery::has_window);
  if (windows) awaited.request.set_known_windows(store.head().windows_digest());
  return awaited;
}

std::vector<Analyser::Placed> Analyser::place_all(const v1::AnalyzeRequest& request) {
  std::vector<Placed> placed;
  const auto windows = frames_.windows();
  for (const v1::RegionQuery& query : request.regions()) placed.push_back(place(query, windows));
  return placed;
}

Analyser::Placed Analyser::place(const v1::RegionQuery& query, std::span<const v1::Window* const> windows) {
  Placed placed;
  placed.answer.set_name(query.name());
  const FrameStore& store = frames_.store();
  const auto found = find_region(query, store.desktop(), windows);
  if (const auto* error = std::get_if<v1::AnalysisError>(&found)) {
    *placed.answer.mutable_error() = *error;
    return placed;
  }
  const Region& region = placed.region.emplace(std::get<Region>(found));
  if (region.window != nullptr) {
    placed.answer.set_window_id(region.window->window_id());
    placed.answer.set_window_title(region.window->title());
  }
  *placed.answer.mutable_area() = rect_to_wire(region.area);
  const Point offset{region.visible.x - region.area.x, region.visible.y - region.area.y};
  placed.answer.set_content(digests_.of(store, part_of_frame(region, store), offset));
  return placed;
}

v1::AnalyzeReply Analyser::begin_reply(const std::vector<Placed>& placed) const {
  v1::AnalyzeReply reply;
  reply.set_frame_id(frames_.store().known_frame_id());
  *reply.mutable_desktop() = frames_.store().head().desktop();
  reply.set_changes_reported(frames_.store().head().changes_reported());
  std::string all;
  for (const Placed& each : placed) {
    const std::string bytes = each.answer.SerializeAsString();
    all += std::to_string(bytes.size()) + ":" + bytes;
  }
  reply.set_seen(to_hex(blake2b(all, 16)));
  return reply;
}

void Analyser::add_templates(const v1::AnalyzeRequest& request) {
  bad_templates_.clear();
  for (const v1::Template& sent : request.templates()) {
    if (sent.image().empty()) continue;
    if (const auto added = templates_.add(sent.digest(), sent.image()); !added) {
      bad_templates_[sent.digest()] = added.error().message;
    }
  }
}

void Analyser::analyse(const v1::RegionQuery& query, const std::stop_token& stop, Placed& placed) {
  if (!placed.region) return;
  v1::RegionAnalysis& answer = placed.answer;
  answer.set_unchanged(answer.content() == query.known_content());
  if (answer.unchanged()) return;
  const FrameStore& store = frames_.store();
  const Region& region = *placed.region;
  const Rect part = part_of_frame(region, store);
  const Point offset{region.visible.x - region.area.x, region.visible.y - region.area.y};
  const frames::PixelView pixels = store.pixels().part(part);
  Work work{query, answer, part, offset, pixels, ImagePyramid(pixels)};
  for (const v1::Point& at : query.pixels()) add_pixel(pixels, offset, at, answer);
  if (query.average_colour()) {
    answer_query(work, "average", [&](v1::RegionAnalysis& out) {
      set_average_colour(pixels, out);
      return Keep::kYes;
    });
  }
  if (const auto clusters = static_cast<int>(query.dominant_colours()); clusters > 0) {
    answer_query(work, "dominant " + std::to_string(clusters), [&](v1::RegionAnalysis& out) {
      set_dominant_colours(pixels, clusters, out);
      return Keep::kYes;
    });
  }
  for (const v1::TemplateQuery& wanted : query.templates()) answer_template(work, wanted, stop);
  if (query.has_ocr()) answer_text(work);
  if (query.has_picture()) query.picture().for_recording() ? record_picture(work) : answer_picture(work);
}

void Analyser::answer_query(Work& work, const std::string& query, const Compute& compute) {
  const std::string key = work.answer.content() + query;
  if (const std::string* known = results_.find(key)) {
    work.answer.MergeFromString(*known);
    return;
  }
  v1::RegionAnalysis result;
  const Keep keep = compute(result);
  work.answer.MergeFrom(result);
  if (keep == Keep::kYes) results_.put(key, result.SerializeAsString());
}

void Analyser::answer_template(Work& work, const v1::TemplateQuery& query, const std::stop_token& stop) {
  const auto fail = [&](v1::AnalysisError::Code code, const std::string& why) {
    auto& result = *work.answer.add_templates();
    result.set_digest(query.digest());
    *result.mutable_error() = analysis_error(code, why);
  };
  const auto bad = bad_templates_.find(query.digest());
  if (bad != bad_templates_.end()) return fail(v1::AnalysisError::CODE_BAD_TEMPLATE, bad->second);
  const auto image = templates_.find(query.digest());
  if (image == nullptr) {
    return fail(v1::AnalysisError::CODE_TEMPLATE_MISSING,
                "the observer has no template with this digest: send it again");
  }
  answer_query(work, "template " + query.SerializeAsString(), [&](v1::RegionAnalysis& out) {
    add_template(work.pixels, work.pyramid, work.offset, *image, query, stop, out);
    return stop.stop_requested() ? Keep::kNo : Keep::kYes;
  });
}

void Analyser::answer_text(Work& work) {
  answer_query(work, "text", [&](v1::RegionAnalysis& out) {
    const auto lines = text_of(work.part).lines(frames_.store(), work.part);
    if (lines) {
      set_text(**lines, {work.part.x - work.offset.x, work.part.y - work.offset.y}, *out.mutable_ocr());
    } else {
      *out.mutable_ocr()->mutable_error() = analysis_error(v1::AnalysisError::CODE_OCR_FAILED, lines.error().message);
    }
    return lines ? Keep::kYes : Keep::kNo;
  });
}

void Analyser::answer_picture(const Work& work) {
  const v1::ImageLimits& limits = work.query.picture().limits();
  const Size whole{work.part.width, work.part.height};
  const Size size = fit(whole, limits);
  draw_plain(size == whole ? work.pixels : scale_down(work.pixels, size, scaled_), canvas_);
  EncodedImage encoded = encoder_.encode(canvas_, limits.jpeg() ? Formats::kPngOrJpeg : Formats::kPng);
  v1::RegionPicture& picture = *work.answer.mutable_picture();
  picture.mutable_image()->set_image_hash(to_hex(blake2b(encoded.data, kImageHashBytes)));
  picture.mutable_image()->set_media_type(std::move(encoded.media_type));
  picture.mutable_image()->set_part(true);
  picture.mutable_image()->set_data(std::move(encoded.data));
  picture.set_width(static_cast<std::uint32_t>(size.width));
  picture.set_height(static_cast<std::uint32_t>(size.height));
  *picture.mutable_part() = rect_to_wire({work.offset.x, work.offset.y, whole.width, whole.height});
}

void Analyser::record_picture(const Work& work) {
  if (const auto* published = recorded_pictures_.find(task_id_, work.answer.content())) {
    *work.answer.mutable_picture() = *published;
  } else if (recorded_pictures_.has_room(system_clock().now())) {
    answer_picture(work);
    recorded_pictures_.add(task_id_, work.answer.content(), work.answer.picture());
  }
}

ScreenText& Analyser::text_of(const Rect& part) {
  const auto found = std::ranges::find(texts_, part, &PartText::part);
  if (found != texts_.end()) {
    texts_.splice(texts_.begin(), texts_, found);
  } else {
    texts_.push_front({part, ScreenText(reader_)});
    if (texts_.size() > kMostTexts) texts_.pop_back();
  }
  return texts_.front().text;
}

}  // namespace da::observer
