// Answers Analyze requests: colours, templates and text of regions of the current frame (da/v1/analysis.proto).
//
// Results are kept by the content of the region, so that an unchanged region costs nothing, and one whose content was
// seen before costs its digest. OCR reads only the changed parts of a region that was read before. Owns the caches and
// the templates. Any thread; calls are serialized, like all that use the FrameCache, except while they wait for a
// change.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "da/v1/analysis.pb.h"
#include "services/observer/analyse/content_digests.h"
#include "services/observer/analyse/recorded_pictures.h"
#include "services/observer/analyse/region.h"
#include "services/observer/analyse/result_cache.h"
#include "services/observer/analyse/templates/image_pyramid.h"
#include "services/observer/analyse/templates/template_store.h"
#include "services/observer/frames/frame_cache.h"
#include "services/observer/image/image_encoder.h"
#include "services/observer/text/screen_text.h"

namespace da::observer {

class Analyser {
 public:
  Analyser(FrameCache& frames, ScreenText::Reader reader) : frames_(frames), reader_(std::move(reader)) {}

  // kInvalidArgument: beyond the limits; kCancelled; or why the desktop could not be read. Errors of one region or one
  // query are in the reply.
  Result<v1::AnalyzeReply> analyze(const v1::AnalyzeRequest& request, const std::stop_token& stop);

 private:
  struct Work;  // One region.
  enum class Keep { kNo, kYes };
  using Compute = std::function<Keep(v1::RegionAnalysis&)>;

  // A region's place and content: the answer without results, and what they need.
  struct Placed {
    v1::RegionAnalysis answer;
    std::optional<Region> region;  // nullopt: the answer is an error.
  };
  // A wait for the end of the frame that the caller has seen.
  struct Awaited {
    v1::AwaitChangeRequest request;
    v1::AnalyzeReply unchanged;  // The reply if it does not end.
  };

  Result<v1::AnalyzeReply> look(const v1::AnalyzeRequest& request, const std::stop_token& stop);
  // nullopt: the newest frame here is not the one that the caller has seen.
  std::optional<Awaited> find_awaited(const v1::AnalyzeRequest& request);
  // The next four are for the holder of the frames' lock.
  std::vector<Placed> place_all(const v1::AnalyzeRequest& request);
  Placed place(const v1::RegionQuery& query, std::span<const v1::Window* const> windows);
  v1::AnalyzeReply begin_reply(const std::vector<Placed>& placed) const;
  void add_templates(const v1::AnalyzeRequest& request);
  void analyse(const v1::RegionQuery& query, const std::stop_token& stop, Placed& placed);
  // Adds the result for this key to the answer: the kept one, or that of `compute`, which sets nothing else.
  void answer_query(Work& work, const std::string& query, const Compute& compute);
  void answer_template(Work& work, const v1::TemplateQuery& query, const std::stop_token& stop);
  void answer_text(Work& work);
  void answer_picture(const Work& work);
  void record_picture(const Work& work);
  ScreenText& text_of(const Rect& part);

  struct PartText {
    Rect part;
    ScreenText text;
  };

  FrameCache& frames_;
  const ScreenText::Reader reader_;
  TemplateStore templates_;
  std::map<std::string, std::string> bad_templates_;  // Reasons, keyed by digest; for this request.
  ContentDigests digests_;
  ResultCache results_;
  ImageEncoder encoder_;
  Canvas canvas_;
  std::vector<std::uint8_t> scaled_;
  std::string task_id_;  // The task of this request.
  RecordedPictures recorded_pictures_;
  std::list<PartText> texts_;  // Last used first.
};

}  // namespace da::observer
