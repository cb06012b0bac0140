#include "services/planner/rules/commands/picture_cycle.h"

#include <google/protobuf/util/json_util.h>
#include <sodium.h>

#include <sstream>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/files/memory_file.h"
#include "lib/os/process/child_process.h"
#include "services/planner/rules/engine/analysis_request.h"
#include "services/planner/rules/profile/profile_file.h"

namespace da::planner::rules {
namespace {

constexpr Milliseconds kLongest{120'000};
// Each round answers at least one question of each undecided rule, and a rule has few that depend on each other.
constexpr int kMaxRounds = 1'000;
constexpr std::size_t kDigestBytes = 16;

std::string digest_of(const std::string& content) {
  unsigned char digest[kDigestBytes];
  crypto_generichash(digest, sizeof digest, reinterpret_cast<const unsigned char*>(content.data()), content.size(),
                     nullptr, 0);
  char text[2 * kDigestBytes + 1];
  return sodium_bin2hex(text, sizeof text, digest, sizeof digest);
}

Result<std::vector<TemplateImage>> read_images(const Profile& profile, const std::filesystem::path& profile_file) {
  std::vector<TemplateImage> images;
  for (const Template& one : profile.templates) {
    ASSIGN_OR_RETURN(auto content, read_template_file(profile_file, one));
    images.push_back({digest_of(content), {}});
    images.back().content = std::move(content);
  }
  return images;
}

Result<std::vector<v1::AnalyzeReply>> analyze(const std::filesystem::path& image,
                                              const std::vector<v1::AnalyzeRequest>& requests) {
  std::string lines;
  for (const v1::AnalyzeRequest& request : requests) {
    std::string line;
    if (!google::protobuf::util::MessageToJsonString(request, &line).ok()) {
      return Error{Code::kInvalidArgument, "a window's pattern is not valid UTF-8"};
    }
    lines += line + "\n";
  }
  ASSIGN_OR_RETURN(const auto input, os::make_memory_file(lines));
  const auto observer = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "da-observer";
  ASSIGN_OR_RETURN(const auto finished, os::run_to_end({.program = observer.string(),
                                                        .arguments = {"analyze", "--image", image.string()},
                                                        .environment = os::current_environment(),
                                                        .input = input.get()},
                                                       system_clock().now() + kLongest));
  if (finished.exit_code != 0) {
    return Error{Code::kInvalidArgument,
                 "da-observer cannot analyse " + quote_foreign(text_of(image)) + ": " + finished.ended};
  }
  std::vector<v1::AnalyzeReply> replies;
  std::istringstream output(finished.output);
  for (std::string line; std::getline(output, line);) {
    if (!google::protobuf::util::JsonStringToMessage(line, &replies.emplace_back()).ok()) {
      return Error{Code::kInternal, "da-observer printed an unreadable answer"};
    }
  }
  if (replies.size() != requests.size()) return Error{Code::kInternal, "da-observer did not answer all requests"};
  return replies;
}

// Questions that a picture cannot answer. Returns the others.
std::vector<Question> answer_without_picture(const std::vector<Question>& questions, Analyses& analyses) {
  std::vector<Question> others;
  for (const Question& question : questions) {
    if (question.kind == QuestionKind::kElement) {
      analyses.elements[{question.name, question.role}] = Unavailable{"a picture has no elements"};
    } else if (question.kind == QuestionKind::kModel) {
      analyses.regions[*question.region].models[{question.name, question.role}] =
          Unavailable{"no model is asked about a picture"};
    } else {
      others.push_back(question);
    }
  }
  return others;
}

}  // namespace

Result<Cycle> evaluate_picture(const Profile& profile, const std::filesystem::path& profile_file,
                               const std::filesystem::path& image) {
  ASSIGN_OR_RETURN(const auto images, read_images(profile, profile_file));
  const Engine engine(profile);
  const RunState state(profile.rules.size());
  Analyses analyses{std::vector<RegionAnalyses>(profile.regions.size()), {}};
  auto requests = analyze_requests(profile, engine.needs(), {}, images);
  for (int round = 0; round < kMaxRounds; ++round) {
    if (!requests.empty()) {
      ASSIGN_OR_RETURN(const auto replies, analyze(image, requests));
      for (std::size_t i = 0; i < replies.size(); ++i) {
        RETURN_IF_ERROR(add_reply(requests[i], replies[i], images, analyses));
      }
    }
    Cycle cycle = engine.evaluate(analyses, {}, state, MonoTime(), Reports::kAll);
    if (cycle.questions.empty()) return cycle;
    const auto questions = answer_without_picture(cycle.questions, analyses);
    requests = analyze_requests(profile, {}, questions, images);
  }
  return Error{Code::kInternal, "the rules still had questions after " + std::to_string(kMaxRounds) + " rounds"};
}

}  // namespace da::planner::rules
