// Checks every byte of an MCAP file against the specification: checksums, that indexes and statistics are true, that
// ids are defined before they are used. Uses memory for one record, and for what the summary should say.
#pragma once

#include <functional>
#include <string>

#include "lib/recording/mcap/mcap_file.h"

namespace da::recording {

struct McapCheck {
  std::function<void(const std::string& fault)> fault;
  // The intact content, for further checks; in the order of the file.
  std::function<void(const McapDefinitions& definitions, const McapMessage& message)> message;
  std::function<void(const McapMetadata& metadata)> metadata;
};

void check_mcap(const McapFile& file, const McapCheck& callbacks);

}  // namespace da::recording
