// What a profile asks the observer about regions, and its answers (proto/da/v1/analysis.proto). Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "da/v1/analysis.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/planner/rules/engine/engine.h"

namespace da::planner::rules {

// The pictures of a profile's templates, by the template's index.
struct TemplateImage {
  std::string digest;  // BLAKE2b-128, hexadecimal.
  std::string content;
};

// The needs of all used regions, and the questions of a cycle that the observer can answer; elements and models are
// asked elsewhere. Several requests if one would be too large. Without task, token and cause.
std::vector<v1::AnalyzeRequest> analyze_requests(const Profile& profile, const std::vector<RegionNeeds>& needs,
                                                 const std::vector<Question>& questions,
                                                 const std::vector<TemplateImage>& images);

// The picture of a region for a model.
v1::AnalyzeRequest picture_request(const Profile& profile, std::size_t region, const v1::ImageLimits& limits);

// BLAKE2b-128 of a template's picture, hexadecimal, as the observer names it.
std::string template_digest(std::string_view content);

// The region's index that analyze_requests() put into the query; nullopt: the profile has no such region.
std::optional<std::size_t> region_index(const v1::RegionQuery& query);

// Adds the answers to one of these requests. kInvalidArgument: the reply does not answer the request.
Result<void> add_reply(const v1::AnalyzeRequest& request, const v1::AnalyzeReply& reply,
                       const std::vector<TemplateImage>& images, Analyses& analyses);

// The same for an answer that tells which regions are unchanged: what was known of the others is forgotten. An
// unchanged region may have moved with its window. Errors as add_reply().
Result<void> replace_changed(const v1::AnalyzeRequest& request, const v1::AnalyzeReply& reply,
                             const std::vector<TemplateImage>& images, Analyses& analyses);

// The elements of an answer that a condition or a click may mean: the first if it is clearly the best, else all.
std::vector<v1::UiNode> elements_of(const v1::LocateReply& reply);

}  // namespace da::planner::rules
