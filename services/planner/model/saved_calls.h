// Saves a model's calls to a file and replays them, so that a task can be planned again without a key. The file has one
// JSON object per line: {"digest","provider","request","reply":{"text","finish","detail","model","usage","calls"}}.
// A call is found by the digest of its request (dialogue_json.h); equal requests are answered in the file's order. One
// thread at a time.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "lib/os/unique_fd.h"
#include "services/planner/model/model.h"

namespace da::planner::model {

// Forwards each request and appends each answered call to a file (mode 0600, because requests contain screen text).
class SavingModel final : public Model {
 public:
  static Result<std::unique_ptr<Model>> open(std::unique_ptr<Model> model, const std::filesystem::path& file);

  const std::string& provider() const override { return model_->provider(); }
  const std::string& name() const override { return model_->name(); }
  const std::string& sized_for() const override { return model_->sized_for(); }
  bool is_paid() const override { return model_->is_paid(); }
  tl::expected<Reply, Failure> answer(const Request& request, Milliseconds timeout, std::stop_token stop) override;

 private:
  SavingModel(std::unique_ptr<Model> model, std::filesystem::path path, os::UniqueFd file)
      : model_(std::move(model)), path_(std::move(path)), file_(std::move(file)) {}
  const std::unique_ptr<Model> model_;
  const std::filesystem::path path_;
  const os::UniqueFd file_;
};

class RecordedModel final : public Model {
 public:
  // Errors name the file and the line.
  static Result<std::unique_ptr<Model>> open(const std::filesystem::path& file);

  const std::string& provider() const override { return name_; }
  const std::string& name() const override { return name_; }
  const std::string& sized_for() const override { return saved_.empty() ? name_ : saved_.front().provider; }
  bool is_paid() const override { return false; }
  // kNotFound if the request was not saved; the error describes the difference to the next saved request.
  tl::expected<Reply, Failure> answer(const Request& request, Milliseconds timeout, std::stop_token stop) override;

 private:
  struct Saved {
    std::string provider;
    nlohmann::json request;
    Reply reply;
  };
  explicit RecordedModel(std::vector<Saved> saved);

  const std::string name_ = "recorded";
  const std::vector<Saved> saved_;  // Same order as in the file.
  std::map<std::string, std::deque<std::size_t>> by_digest_;
  std::size_t next_ = 0;  // Index after the last call that was used.
};

}  // namespace da::planner::model
