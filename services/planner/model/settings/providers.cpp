#include "services/planner/model/settings/providers.h"

#include <algorithm>

namespace da::planner::model {
namespace {

const ChatTraits kLocalServer = {ChatTraits::Schema::kNested, "max_tokens"};
const ChatTraits kLlamaCpp = {ChatTraits::Schema::kFlat, "max_tokens"};

// Sources of the image limits: OpenAI, "Images and vision": 2048 square, then shorter side 768. Anthropic, "Vision":
// longer side 1568 and 1.15 megapixels. Gemini, "Image understanding": 3072 square. Local models: the tiles of their
// encoders, which seldom use more.
const Provider kProviders[] = {
    {"openai", Api::kOpenAiChat, "", "OPENAI_API_KEY", "gpt-5", 2048, 768},
    {"openai-responses", Api::kOpenAiResponses, "", "OPENAI_API_KEY", "gpt-5", 2048, 768},
    {"openai-computer", Api::kOpenAiResponses, "", "OPENAI_API_KEY", "gpt-5.4", 2048, 768, 0, {}, Vocabulary::kOpenAi},
    {"anthropic", Api::kAnthropicMessages, "", "ANTHROPIC_API_KEY", "claude-sonnet-4-5", 1568, 0, 1'150'000},
    {"anthropic-computer",
     Api::kAnthropicMessages,
     "",
     "ANTHROPIC_API_KEY",
     "claude-sonnet-4-5",
     1568,
     0,
     1'150'000,
     {},
     Vocabulary::kAnthropic},
    {"gemini", Api::kGemini, "", "GEMINI_API_KEY", "gemini-2.5-pro", 3072},
    {"gemini-computer", Api::kGemini, "", "GEMINI_API_KEY", "gemini-3.5-flash", 3072, 0, 0, {}, Vocabulary::kGemini},
    {"ollama", Api::kOpenAiChat, "http://127.0.0.1:11434/v1", "", "", 1344, 0, 0, kLocalServer},
    {"llamacpp", Api::kOpenAiChat, "http://127.0.0.1:8080/v1", "", "default", 1344, 0, 0, kLlamaCpp},
    {"vllm", Api::kOpenAiChat, "http://127.0.0.1:8000/v1", "", "", 1344, 0, 0, kLocalServer},
    {"lmstudio", Api::kOpenAiChat, "http://127.0.0.1:1234/v1", "", "", 1344, 0, 0, kLocalServer},
};

}  // namespace

std::span<const Provider> providers() { return kProviders; }

const Provider* find_provider(const std::string& name) {
  const auto* found = std::ranges::find(kProviders, name, [](const Provider& p) { return std::string(p.name); });
  return found == std::end(kProviders) ? nullptr : found;
}

}  // namespace da::planner::model
