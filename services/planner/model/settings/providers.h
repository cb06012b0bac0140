// Supported model providers: address, key variable, image limits. Constants; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "services/planner/model/dialects/computer/actions.h"
#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

struct Provider {
  const char* name;
  Api api;
  const char* base_url;      // Empty: the wire format's default.
  const char* key_variable;  // Empty: the provider needs no key.
  const char* model;         // Default model; empty: the user must name one.
  // Image limits in pixels; 0: no limit. The provider shrinks larger images, and the model's places are then wrong.
  std::uint32_t long_edge;
  std::uint32_t short_edge = 0;
  std::uint32_t area = 0;
  ChatTraits chat = {};
  // Vocabulary of the provider's computer tool, if this row offers the tool.
  std::optional<Vocabulary> computer = {};
};

std::span<const Provider> providers();

// Null if there is no provider of this name.
const Provider* find_provider(const std::string& name);

}  // namespace da::planner::model
