#include "services/planner/rules/engine/analysis_request.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "lib/base/id.h"
#include "lib/contract/coordinates.h"

namespace da::planner::rules {
namespace {

// The proto's limits.
constexpr int kMaxRegions = 256;
constexpr std::size_t kMaxTemplates = 64;
constexpr std::size_t kMaxPixels = 256;
constexpr std::size_t kDigestBytes = 16;

struct Wishes {
  RegionNeeds needs;
  std::set<std::pair<int, int>> pixels;
  std::map<std::size_t, double> templates;  // Least confidence by index.
};

v1::RegionQuery region_query(const Region& region, std::size_t index) {
  v1::RegionQuery query;
  query.set_name(std::to_string(index));
  if (region.window.empty()) {
    *query.mutable_area() = contract::to_proto(region.area);
  } else {
    query.mutable_window()->set_title_pattern(region.window);
    *query.mutable_window()->mutable_area() = contract::to_proto(region.area);
  }
  return query;
}

Bgr colour_of(const v1::Colour& colour) {
  return {static_cast<int>(colour.blue()), static_cast<int>(colour.green()), static_cast<int>(colour.red())};
}

Error error_of(const v1::AnalysisError& error) { return {Code::kFailedPrecondition, error.message()}; }

// The templates were sent before the question, and again if the observer had lost one.
Error error_of_template(const v1::AnalysisError& error) {
  if (error.code() != v1::AnalysisError::CODE_TEMPLATE_MISSING) return error_of(error);
  return {Code::kResourceExhausted,
          "the templates that are searched for at the same time are too large: the observer keeps 16 million pixels of "
          "them; cut out smaller pictures"};
}

TemplateSeen match_of(const v1::TemplateResult& result) {
  if (!result.has_best()) return {};
  return {contract::from_proto(result.best().area()), result.best().confidence(), result.ambiguous()};
}

OcrSeen ocr_of(const v1::OcrText& text) {
  OcrSeen seen{text.text(), text.average_confidence_percent(), {}};
  for (const auto& word : text.words()) seen.words.push_back({word.text(), contract::from_proto(word.area())});
  return seen;
}

void add_region(const v1::RegionQuery& query, const v1::RegionAnalysis& reply, const std::vector<TemplateImage>& images,
                RegionAnalyses& region) {
  if (reply.has_error()) {
    const bool gone = reply.error().code() == v1::AnalysisError::CODE_WINDOW_NOT_FOUND;
    region.area = gone ? Answer<Rect>(Unavailable{reply.error().message()}) : Answer<Rect>(error_of(reply.error()));
    return;
  }
  region.area = contract::from_proto(reply.area());
  if (query.average_colour() && reply.has_average_colour()) region.average = colour_of(reply.average_colour());
  for (const v1::PixelColour& pixel : reply.pixels()) {
    region.pixels[{pixel.at().x(), pixel.at().y()}] =
        pixel.has_error() ? Answer<Bgr>(error_of(pixel.error())) : Answer<Bgr>(colour_of(pixel.colour()));
  }
  if (query.dominant_colours() > 0) {
    std::vector<ColourShare> shares;
    for (const v1::DominantColour& one : reply.dominant_colours())
      shares.push_back({colour_of(one.colour()), one.percent()});
    region.dominant = std::move(shares);
  }
  for (const v1::TemplateResult& result : reply.templates()) {
    const auto answer = result.has_error() ? Answer<TemplateSeen>(error_of_template(result.error()))
                                           : Answer<TemplateSeen>(match_of(result));
    // Two templates may have the same picture.
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (images[i].digest == result.digest()) region.templates.insert_or_assign(i, answer);
    }
  }
  if (query.has_ocr()) {
    region.ocr =
        reply.ocr().has_error() ? Answer<OcrSeen>(error_of(reply.ocr().error())) : Answer<OcrSeen>(ocr_of(reply.ocr()));
  }
}

Result<void> check_size(const v1::AnalyzeRequest& request, const v1::AnalyzeReply& reply) {
  if (reply.regions_size() == request.regions_size()) return ok();
  return Error{Code::kInvalidArgument, "the observer answered " + std::to_string(reply.regions_size()) + " of " +
                                           std::to_string(request.regions_size()) + " regions"};
}

class RequestWriter {
 public:
  RequestWriter(const Profile& profile, const std::vector<TemplateImage>& images)
      : profile_(profile), images_(images) {}

  // A region with too many pixels or templates for one query gets several.
  void add(std::size_t index, Wishes wish) {
    do {
      v1::RegionQuery query = region_query(profile_.regions[index], index);
      query.set_average_colour(wish.needs.average);
      query.set_dominant_colours(wish.needs.dominant);
      if (wish.needs.ocr) query.mutable_ocr();
      wish.needs = {};
      make_room(std::min(wish.templates.size(), kMaxTemplates));
      for (std::size_t i = 0; i < kMaxPixels && !wish.pixels.empty(); ++i) {
        const auto [x, y] = wish.pixels.extract(wish.pixels.begin()).value();
        *query.add_pixels() = contract::to_proto(Point{x, y});
      }
      for (std::size_t i = 0; i < kMaxTemplates && !wish.templates.empty(); ++i) {
        const auto one = wish.templates.extract(wish.templates.begin());
        add_template(images_[one.key()], one.mapped(), query);
      }
      *requests_.back().add_regions() = std::move(query);
    } while (!wish.pixels.empty() || !wish.templates.empty());
  }

  std::vector<v1::AnalyzeRequest> take() && { return std::move(requests_); }

 private:
  void make_room(std::size_t templates) {
    const bool has_room = !requests_.empty() && requests_.back().regions_size() < kMaxRegions &&
                          sent_.size() + templates <= kMaxTemplates;
    if (has_room) return;
    requests_.emplace_back();
    sent_.clear();
  }

  void add_template(const TemplateImage& image, double least, v1::RegionQuery& query) {
    v1::TemplateQuery& wanted = *query.add_templates();
    wanted.set_digest(image.digest);
    wanted.set_min_confidence(least);
    wanted.set_exact_suffices(true);  // Only the best place counts.
    if (!sent_.insert(image.digest).second) return;
    v1::Template& one = *requests_.back().add_templates();
    one.set_digest(image.digest);
    one.set_image(image.content);
  }

  const Profile& profile_;
  const std::vector<TemplateImage>& images_;
  std::vector<v1::AnalyzeRequest> requests_;
  std::set<std::string> sent_;  // Digests in the last request.
};

}  // namespace

std::vector<v1::AnalyzeRequest> analyze_requests(const Profile& profile, const std::vector<RegionNeeds>& needs,
                                                 const std::vector<Question>& questions,
                                                 const std::vector<TemplateImage>& images) {
  std::map<std::size_t, Wishes> wishes;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (needs[i].used) wishes[i].needs = needs[i];
  }
  for (const Question& question : questions) {
    if (!question.region || question.kind == QuestionKind::kModel) continue;
    Wishes& wish = wishes[*question.region];
    if (question.kind == QuestionKind::kPixel) wish.pixels.emplace(question.x, question.y);
    if (question.kind == QuestionKind::kTemplate) {
      const auto [known, added] = wish.templates.emplace(question.image, question.least);
      if (!added) known->second = std::min(known->second, question.least);
    }
    if (question.kind == QuestionKind::kOcr) wish.needs.ocr = true;
  }
  RequestWriter writer(profile, images);
  for (auto& [index, wish] : wishes) writer.add(index, std::move(wish));
  return std::move(writer).take();
}

v1::AnalyzeRequest picture_request(const Profile& profile, std::size_t region, const v1::ImageLimits& limits) {
  v1::AnalyzeRequest request;
  v1::RegionQuery& query = *request.add_regions();
  query = region_query(profile.regions[region], region);
  *query.mutable_picture()->mutable_limits() = limits;
  return request;
}

std::string template_digest(std::string_view content) { return to_hex(blake2b(content, kDigestBytes)); }

std::optional<std::size_t> region_index(const v1::RegionQuery& query) {
  const std::string& text = query.name();
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(index) : std::nullopt;
}

Result<void> add_reply(const v1::AnalyzeRequest& request, const v1::AnalyzeReply& reply,
                       const std::vector<TemplateImage>& images, Analyses& analyses) {
  RETURN_IF_ERROR(check_size(request, reply));
  for (int i = 0; i < reply.regions_size(); ++i) {
    const auto index = region_index(request.regions(i));
    if (!index || *index >= analyses.regions.size()) {
      return Error{Code::kInvalidArgument, "the request names a region that the profile lacks"};
    }
    add_region(request.regions(i), reply.regions(i), images, analyses.regions[*index]);
  }
  return ok();
}

Result<void> replace_changed(const v1::AnalyzeRequest& request, const v1::AnalyzeReply& reply,
                             const std::vector<TemplateImage>& images, Analyses& analyses) {
  RETURN_IF_ERROR(check_size(request, reply));
  v1::AnalyzeRequest changed_request;
  v1::AnalyzeReply changed;
  for (int i = 0; i < reply.regions_size(); ++i) {
    const auto index = region_index(request.regions(i));
    const v1::RegionAnalysis& region = reply.regions(i);
    if (index && *index < analyses.regions.size() && region.unchanged()) {
      analyses.regions[*index].area = contract::from_proto(region.area());
      continue;
    }
    if (index && *index < analyses.regions.size()) analyses.regions[*index] = {};
    *changed_request.add_regions() = request.regions(i);
    *changed.add_regions() = region;
  }
  return add_reply(changed_request, changed, images, analyses);
}

std::vector<v1::UiNode> elements_of(const v1::LocateReply& reply) {
  std::vector<v1::UiNode> nodes;
  for (const v1::Candidate& candidate : reply.candidates()) {
    if (!candidate.has_node()) continue;
    nodes.push_back(candidate.node());
    if (!reply.ambiguous()) break;
  }
  return nodes;
}

}  // namespace da::planner::rules
