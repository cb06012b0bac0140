// The table of those who can be asked: where they are, and what they are like. Constants; any thread.
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
  const char* base_url;      // Empty: the wire format's own.
  const char* key_variable;  // Empty: it wants none.
  const char* model;         // Empty: it must be named.
  // Larger images are made smaller by the provider, and places in them are then wrong; 0: no limit.
  std::uint32_t long_edge;
  std::uint32_t short_edge = 0;
  std::uint32_t area = 0;
  ChatTraits chat = {};
  // Its own computer tool is offered, in these words.
  std::optional<Vocabulary> computer = {};
};

std::span<const Provider> providers();

// Null where there is none of that name.
const Provider* find_provider(const std::string& name);

}  // namespace da::planner::model
