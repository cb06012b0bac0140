#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "services/planner/model/dialects/dialect.h"
#include "services/planner/model/prompt.h"

namespace da::planner::model {
namespace {

using nlohmann::ordered_json;

// Cuts between UTF-8 characters.
std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return text.substr(0, most);
}

// The reason that the action gives, else the reply's text.
std::string justification_of(const OurCall& call, const Reply& reply) {
  for (const std::string& words : {call.why, reply.text}) {
    const std::string_view shown = first_bytes(trim(words), contract::kMaxJustification);
    if (!shows_nothing(shown)) return std::string(shown);
  }
  return "(the model gave no reason)";
}

std::string concern_of(const SafetyCheck& check) {
  std::string concern = "safety check of the model's provider";
  if (!check.code.empty()) concern += " (" + check.code + ")";
  return check.message.empty() ? concern : concern + ": " + check.message;
}

Screen screen_of(const v1::Observation& seen) {
  Screen screen{seen.coordinates().image_width(), seen.coordinates().image_height(), {}};
  const auto pointer = contract::map_to_image(seen.coordinates(), contract::from_proto(seen.cursor()));
  if (pointer) screen.pointer = *pointer;
  return screen;
}

class ComputerDialect final : public Dialect {
 public:
  explicit ComputerDialect(Vocabulary vocabulary) : vocabulary_(vocabulary) {}

  std::string system_prompt() const override { return computer_prompt(); }
  std::string repair_prompt(const std::string& error) const override { return computer_repair_prompt(error); }

  void ask_for(Request& request, const v1::Observation& seen) const override {
    request.computer = ComputerTool{seen.coordinates().image_width(), seen.coordinates().image_height()};
  }

  // Writes the calls as a reply of the contract and parses that, so that the same checks apply.
  Result<contract::ParsedPlan> read(const Reply& reply, const v1::Observation& seen) const override {
    ordered_json steps = ordered_json::array();
    std::vector<const ToolCall*> origins;
    Screen screen = screen_of(seen);
    for (const ToolCall& call : reply.calls) {
      ASSIGN_OR_RETURN(const auto calls, our_calls(vocabulary_, call, screen));
      for (const OurCall& ours : calls) {
        steps.push_back({{"tool", ours.tool},
                         {"args", ours.args},
                         {"human_readable_justification", justification_of(ours, reply)}});
        origins.push_back(&call);
      }
    }
    const bool ends = reply.calls.empty() && !shows_nothing(reply.text);
    const ordered_json whole = {{"steps", std::move(steps)},
                                {"done", ends ? ordered_json(reply.text) : ordered_json()}};
    const std::string text = whole.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    ASSIGN_OR_RETURN(auto parsed, contract::parse_steps(text));
    // A person must confirm each step of a call that the provider doubts, so that none runs before the approval.
    for (int i = 0; i < parsed.plan.steps_size(); ++i) {
      for (const SafetyCheck& check : origins[static_cast<std::size_t>(i)]->checks) {
        parsed.plan.mutable_steps(i)->add_concerns(concern_of(check));
      }
    }
    return parsed;
  }

 private:
  const Vocabulary vocabulary_;
};

}  // namespace

std::unique_ptr<Dialect> computer_dialect(Vocabulary vocabulary) {
  return std::make_unique<ComputerDialect>(vocabulary);
}

}  // namespace da::planner::model
