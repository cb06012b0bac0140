#include "services/planner/model/saved_calls.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "lib/base/text.h"
#include "lib/os/files.h"
#include "services/planner/model/dialogue_json.h"

namespace da::planner::model {
namespace {

using nlohmann::json;

constexpr std::array kFinishes = {
    std::pair(Finish::kComplete, "complete"),        std::pair(Finish::kLength, "length"),
    std::pair(Finish::kRefused, "refused"),          std::pair(Finish::kFiltered, "filtered"),
    std::pair(Finish::kContextFull, "context full"), std::pair(Finish::kMalformed, "malformed")};

json to_json(const Reply& reply) {
  const auto* finish = std::ranges::find(kFinishes, reply.finish, [](const auto& entry) { return entry.first; });
  json saved = {{"text", reply.text},
                {"finish", finish->second},
                {"detail", reply.detail},
                {"model", reply.model},
                {"usage",
                 {{"input", reply.usage.input_tokens},
                  {"cached_input", reply.usage.cached_input_tokens},
                  {"output", reply.usage.output_tokens}}}};
  if (!reply.calls.empty()) saved["calls"] = model::to_json(reply.calls);
  return saved;
}

// Throws what nlohmann does.
ToolCall call_from(const json& saved) {
  ToolCall call{saved.at("id").get<std::string>(), saved.at("name").get<std::string>(), saved.at("actions"), {}};
  for (const json& check : saved.at("checks")) {
    call.checks.push_back({check.at("id").get<std::string>(), check.at("code").get<std::string>(),
                           check.at("message").get<std::string>()});
  }
  return call;
}

// Throws what nlohmann does.
Reply reply_from(const json& saved) {
  Reply reply;
  const auto* finish = std::ranges::find(kFinishes, saved.at("finish").get<std::string>(),
                                         [](const auto& entry) { return std::string(entry.second); });
  if (finish == kFinishes.end()) throw json::other_error::create(501, "an unknown finish", &saved);
  reply.finish = finish->first;
  reply.text = saved.at("text").get<std::string>();
  if (saved.contains("calls")) {
    for (const json& call : saved.at("calls")) reply.calls.push_back(call_from(call));
  }
  reply.detail = saved.at("detail").get<std::string>();
  reply.model = saved.at("model").get<std::string>();
  reply.usage.input_tokens = saved.at("usage").at("input").get<std::uint64_t>();
  reply.usage.cached_input_tokens = saved.at("usage").at("cached_input").get<std::uint64_t>();
  reply.usage.output_tokens = saved.at("usage").at("output").get<std::uint64_t>();
  return reply;
}

std::string shown(const json& value) {
  return escape_foreign(value.is_string() ? value.get_ref<const std::string&>()
                                          : value.dump(-1, ' ', false, json::error_handler_t::replace),
                        160);
}

// Where two texts part, with a little of what comes before.
std::string tail_from(const std::string& text, std::size_t at) { return text.substr(at < 30 ? 0 : at - 30); }

// The first place where they differ, in words.
std::string difference(const json& saved, const json& asked) {
  const json changes = json::diff(saved, asked);
  if (changes.empty()) return "nothing differs";
  const std::string path = changes[0]["path"].get<std::string>();
  const json::json_pointer at(path);
  if (!saved.contains(at)) return path + " is new: " + shown(asked.at(at));
  if (!asked.contains(at)) return path + " is missing; it was " + shown(saved.at(at));
  if (!saved.at(at).is_string() || !asked.at(at).is_string()) {
    return path + " is " + shown(asked.at(at)) + ", and was " + shown(saved.at(at));
  }
  const std::string was = saved.at(at).get<std::string>();
  const std::string is = asked.at(at).get<std::string>();
  const auto part = static_cast<std::size_t>(std::ranges::mismatch(was, is).in1 - was.begin());
  return path + " is \"" + escape_foreign(tail_from(is, part), 100) + "\", and was \"" +
         escape_foreign(tail_from(was, part), 100) + "\"";
}

}  // namespace

Result<std::unique_ptr<Model>> SavingModel::open(std::unique_ptr<Model> model, const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(auto file, os::open_private_to_append(path));
  return std::unique_ptr<Model>(new SavingModel(std::move(model), path, std::move(file)));
}

tl::expected<Reply, Failure> SavingModel::answer(const Request& request, Milliseconds timeout, std::stop_token stop) {
  auto reply = model_->answer(request, timeout, std::move(stop));
  if (!reply) return reply;
  json told = model::to_json(request);
  const json line = {{"digest", digest_of(told)},
                     {"provider", model_->sized_for()},
                     {"request", std::move(told)},
                     {"reply", to_json(*reply)}};
  const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  if (const auto saved = os::write_all(file_.get(), text, path_); !saved) {
    return tl::make_unexpected(Failure{saved.error(), std::nullopt});
  }
  return reply;
}

Result<std::unique_ptr<Model>> RecordedModel::open(const std::filesystem::path& path) {
  if (path.empty()) {
    return Error{Code::kFailedPrecondition, "the recorded planner needs a file of saved calls (planner.saved_calls)"};
  }
  std::ifstream file(path);
  if (!file) return Error{Code::kFailedPrecondition, "the saved calls in " + path.string() + " cannot be read"};
  std::vector<Saved> saved;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    try {
      const json call = json::parse(line);
      saved.push_back({call.at("provider").get<std::string>(), call.at("request"), reply_from(call.at("reply"))});
    } catch (const json::exception& error) {
      return Error{Code::kInvalidArgument, path.string() + ", line " + std::to_string(number) +
                                               ": no saved call: " + escape_foreign(error.what(), 200)};
    }
  }
  return std::unique_ptr<Model>(new RecordedModel(std::move(saved)));
}

RecordedModel::RecordedModel(std::vector<Saved> saved) : saved_(std::move(saved)) {
  for (std::size_t i = 0; i < saved_.size(); ++i) by_digest_[digest_of(saved_[i].request)].push_back(i);
}

tl::expected<Reply, Failure> RecordedModel::answer(const Request& request, Milliseconds, std::stop_token) {
  const json asked = model::to_json(request);
  const auto found = by_digest_.find(digest_of(asked));
  if (found != by_digest_.end()) {
    const std::size_t index = found->second.front();
    if (found->second.size() > 1) found->second.pop_front();
    next_ = index + 1;
    return saved_[index].reply;
  }
  const std::string why =
      next_ < saved_.size()
          ? "call " + std::to_string(next_ + 1) + " was another: " + difference(saved_[next_].request, asked)
          : std::to_string(saved_.size()) + " calls were saved, and this is one more";
  return tl::make_unexpected(
      Failure{{Code::kNotFound, "the recording does not know this question; " + why}, std::nullopt});
}

}  // namespace da::planner::model
