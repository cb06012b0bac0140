#include "services/planner/model/saved_calls.h"

#include <algorithm>
#include <fstream>

#include "lib/base/text.h"
#include "lib/os/files/file_descriptors.h"
#include "services/planner/model/dialogue_json.h"

namespace da::planner::model {
namespace {

using nlohmann::json;

json json_of_reply(const Reply& reply) {
  json saved = {{"text", reply.text},
                {"finish", finish_text(reply.finish)},
                {"detail", reply.detail},
                {"model", reply.model},
                {"usage",
                 {{"input", reply.usage.input_tokens},
                  {"cached_input", reply.usage.cached_input_tokens},
                  {"output", reply.usage.output_tokens}}}};
  if (!reply.calls.empty()) saved["calls"] = to_json(reply.calls);
  return saved;
}

// The functions ..._from throw json::exception.
ToolCall call_from(const json& saved) {
  ToolCall call{saved.at("id").get<std::string>(), saved.at("name").get<std::string>(), saved.at("actions"), {}};
  for (const json& check : saved.at("checks")) {
    call.checks.push_back({check.at("id").get<std::string>(), check.at("code").get<std::string>(),
                           check.at("message").get<std::string>()});
  }
  return call;
}

Reply reply_from(const json& saved) {
  Reply reply;
  const auto finish = parse_finish(saved.at("finish").get<std::string>());
  if (!finish) throw json::other_error::create(501, "unknown finish", &saved);
  reply.finish = *finish;
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

// The text from `at`, with up to 30 bytes before it.
std::string tail_from(const std::string& text, std::size_t at) { return text.substr(at < 30 ? 0 : at - 30); }

std::string difference(const json& saved, const json& asked) {
  const json changes = json::diff(saved, asked);
  if (changes.empty()) return "no difference";
  const std::string path = changes[0]["path"].get<std::string>();
  const json::json_pointer at(path);
  if (!saved.contains(at)) return path + " is new: " + shown(asked.at(at));
  if (!asked.contains(at)) return path + " is missing; it was " + shown(saved.at(at));
  if (!saved.at(at).is_string() || !asked.at(at).is_string()) {
    return path + " is " + shown(asked.at(at)) + ", and was " + shown(saved.at(at));
  }
  const std::string was = saved.at(at).get<std::string>();
  const std::string is = asked.at(at).get<std::string>();
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(was, is).in1 - was.begin());
  return path + " is " + quote_foreign(tail_from(is, same), 100) + ", and was " +
         quote_foreign(tail_from(was, same), 100);
}

}  // namespace

Result<std::unique_ptr<Model>> SavingModel::open(std::unique_ptr<Model> model, const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(auto file, os::open_private_to_append(path));
  return std::unique_ptr<Model>(new SavingModel(std::move(model), path, std::move(file)));
}

tl::expected<Reply, Failure> SavingModel::answer(const Request& request, Milliseconds timeout, std::stop_token stop) {
  auto reply = model_->answer(request, timeout, std::move(stop));
  if (!reply) return reply;
  json told = to_json(request);
  const json line = {{"digest", digest_of(told)},
                     {"provider", model_->sized_for()},
                     {"request", std::move(told)},
                     {"reply", json_of_reply(*reply)}};
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
  if (!file) return Error{Code::kFailedPrecondition, "cannot read the saved calls in " + path.string()};
  std::vector<Saved> saved;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    try {
      const json call = json::parse(line);
      saved.push_back({call.at("provider").get<std::string>(), call.at("request"), reply_from(call.at("reply"))});
    } catch (const json::exception& error) {
      return Error{Code::kInvalidArgument, path.string() + ", line " + std::to_string(number) +
                                               ": not a saved call: " + escape_foreign(error.what(), 200)};
    }
  }
  return std::unique_ptr<Model>(new RecordedModel(std::move(saved)));
}

RecordedModel::RecordedModel(std::vector<Saved> saved) : saved_(std::move(saved)) {
  for (std::size_t i = 0; i < saved_.size(); ++i) by_digest_[digest_of(saved_[i].request)].push_back(i);
}

tl::expected<Reply, Failure> RecordedModel::answer(const Request& request, Milliseconds, std::stop_token) {
  const json asked = to_json(request);
  const auto found = by_digest_.find(digest_of(asked));
  if (found != by_digest_.end()) {
    const std::size_t index = found->second.front();
    if (found->second.size() > 1) found->second.pop_front();
    next_ = index + 1;
    return saved_[index].reply;
  }
  std::string why = "all " + std::to_string(saved_.size()) + " saved calls are used";
  if (next_ < saved_.size()) {
    why = "call " + std::to_string(next_ + 1) + " differs: " + difference(saved_[next_].request, asked);
  }
  return tl::make_unexpected(Failure{{Code::kNotFound, "no saved call has this request; " + why}, std::nullopt});
}

}  // namespace da::planner::model
