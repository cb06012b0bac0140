#include "services/planner/model/doctor/probe.h"

#include <algorithm>
#include <map>

#include "lib/base/text.h"
#include "services/planner/model/doctor/look.h"
#include "services/planner/model/doctor/question.h"

namespace da::planner::model {
namespace {

using service::Check;

constexpr Milliseconds kAllCalls{20'000};
// Prompt and tools take about 3,000 tokens, an image 1,500; a reply and the previous turns need room too.
constexpr std::uint64_t kLeastContext = 8192;
constexpr std::size_t kShownModels = 12;
constexpr std::size_t kShownModelName = 60;
constexpr std::size_t kShownError = 250;

Check success(const char* name, std::string found) { return {name, true, std::move(found), ""}; }

Check problem(const char* name, const std::string& found, std::string advice) {
  return {name, false, escape_foreign(found, kShownError), std::move(advice)};
}

std::string start_advice(const Choice& choice) {
  static const std::map<std::string, std::string> kStarts = {
      {"ollama", "start it: ollama serve"},
      {"llamacpp", "start it: llama-server -m MODEL.gguf --mmproj ITS-EYES.gguf -c 16384"},
      {"vllm", "start it: vllm serve MODEL"},
      {"lmstudio", "start it: lms server start"}};
  const auto found = kStarts.find(choice.planner);
  return found == kStarts.end() ? "" : found->second + "; or ";
}

std::string advice_on(const Error& error, const Choice& choice) {
  switch (error.code) {
    case Code::kFailedPrecondition:
    case Code::kInvalidArgument:
      return "correct what is named here: planner.base_url, planner.ca_file (authority of the server's "
             "certificate), planner.proxy or https_proxy";
    case Code::kNotFound: return "correct planner.base_url or --base-url; it often ends with /v1";
    case Code::kDataLoss: return "another program answers there: correct planner.base_url or --base-url";
    default:
      return start_advice(choice) +
             "correct planner.base_url or --base-url, check the network and the proxy, or try later";
  }
}

bool is_about_key(const Error& error) {
  return error.code == Code::kUnauthenticated || error.code == Code::kPermissionDenied;
}

// "https://api.example.com answered in 80 ms; its certificate is valid; through the proxy http://proxy (https_proxy)"
std::string way_to(const Settings& settings, const Environment& environment, const std::string& url,
                   Milliseconds latency) {
  std::string text = server_of(url) + " answered in " + std::to_string(latency.count()) + " ms; ";
  if (!url.starts_with("https://")) return text + "on this machine, without TLS";
  text += "its certificate is valid; ";
  const auto proxy = choose_proxy(settings.http.proxy, environment, url);
  if (!proxy || proxy->url.empty()) return text + "without a proxy";
  return text + "through the proxy " + proxy->url + " (" + proxy->why + ")";
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShownModels); ++i) {
    text += (i == 0 ? "" : ", ") + escape_foreign(names[i], kShownModelName);
  }
  if (names.size() > kShownModels) text += " and " + std::to_string(names.size() - kShownModels) + " more";
  return text.empty() ? "none" : text;
}

Check check_key(const Access& access, const Choice& choice) {
  if (access.key.empty()) return success("model key", choice.planner + " needs no key, and none is configured");
  return success("model key", "the server accepts the key in " + access.key_from);
}

Check check_missing(const Seen& seen, const Choice& choice) {
  const std::string shown = escape_foreign(choice.model, kShownModelName);
  if (!seen.names) {
    return problem("model", "the server does not list its models",
                   "correct planner.base_url or --base-url if it does not belong to " + choice.planner +
                       "; doctor --ask asks the model");
  }
  const std::string get = choice.planner == "ollama" ? "ollama pull " + shown + "; or " : "";
  // Each name is already escaped and cut.
  return {"model", false, shown + " is not there; there are: " + list_of(*seen.names),
          get + "name one of them (--model, or planner.model)"};
}

Check check_images(const ModelFacts& model, const Settings& settings) {
  if (settings.options.sees == Sees::kElements) return success("model images", "not sent: planner.images = false");
  if (!model.takes_images) return success("model images", "the server does not say whether the model takes images");
  if (*model.takes_images) return success("model images", "the model accepts images");
  return problem("model images", "the model takes no images",
                 "choose another model; or set planner.images = false, which sends the list of elements (llama.cpp: "
                 "start it with --mmproj)");
}

Check check_context(const ModelFacts& model, const Choice& choice) {
  if (!model.context_tokens) {
    const bool ollama = choice.planner == "ollama";
    return success("model context",
                   ollama
                       ? "known once the model is loaded; Ollama may load it with only 4096 tokens and silently cuts "
                         "longer prompts (OLLAMA_CONTEXT_LENGTH=16384 ollama serve)"
                       : "the server does not say the model's context length");
  }
  const std::string found = std::to_string(*model.context_tokens) + " tokens";
  if (*model.context_tokens >= kLeastContext) return success("model context", found);
  return problem(
      "model context", found + "; a task needs at least " + std::to_string(kLeastContext),
      choice.planner == "ollama" ? "OLLAMA_CONTEXT_LENGTH=16384 ollama serve" : "load the model with a longer context");
}

void check_server(std::vector<Check>& checks, const Settings& settings, const Environment& environment,
                  const Choice& choice, const Access& access, const Clock& clock) {
  ServerCalls calls(access, settings.http, environment, clock, clock.now() + kAllCalls);
  const auto seen = look_for_model(calls, choice.planner, access.target);
  if (!calls.reached() || (!seen && !is_about_key(seen.error()))) {
    checks.push_back(problem("model server", seen.error().message, advice_on(seen.error(), choice)));
    return;
  }
  checks.push_back(
      success("model server", way_to(settings, environment, base_url_of(access.target), *calls.reached())));
  if (!seen) {
    checks.push_back(problem("model key", seen.error().message,
                             access.key_from.empty() ? "the server needs a key: put it into planner.key_file"
                                                     : "put a valid key into " + access.key_from));
    return;
  }
  checks.push_back(check_key(access, choice));
  if (!seen->model) {
    checks.push_back(check_missing(*seen, choice));
    return;
  }
  const std::string name = seen->model->name.empty() ? choice.model : seen->model->name;
  checks.push_back(success("model", escape_foreign(name, kShownModelName) + " is there"));
  checks.push_back(check_images(*seen->model, settings));
  checks.push_back(check_context(*seen->model, choice));
}

}  // namespace

std::vector<Check> probe(const Settings& settings, const Environment& environment, const ProbeOptions& options,
                         const Clock& clock) {
  const auto choice = choose(settings, environment, options.planner, options.model);
  if (!choice) return {problem("planner", choice.error().message, "use another --planner, --model or planner.toml")};
  const bool has_model = !choice->model.empty() && choice->model != choice->planner;
  const std::string model_text = has_model ? ", " + escape_foreign(choice->model, kShownModelName) : "";
  std::vector<Check> checks = {
      success("planner", escape_foreign(choice->planner, kShownModelName) + model_text + " (" + choice->why + ")")};
  if (choice->planner == kPlain) return checks;
  const auto model = open_model(settings, environment, *choice);
  const auto access = access_of(settings, environment, *choice);
  const bool recorded = choice->planner == "recorded";
  if (!model) {
    checks.push_back(problem(recorded ? "saved calls" : "model key", model.error().message,
                             recorded ? "name the file: --model-calls, or planner.saved_calls"
                                      : "put it into the variable, or into a file of mode 0600 (planner.key_file)"));
    return checks;
  }
  if (recorded || !access) return checks;
  check_server(checks, settings, environment, *choice, *access, clock);
  if (!options.ask) return checks;
  options.notify("asking " + escape_foreign(choice->planner + ", " + choice->model, 2 * kShownModelName) +
                 " one small question, which may cost something");
  checks.push_back(ask_question(**model, clock));
  return checks;
}

}  // namespace da::planner::model
