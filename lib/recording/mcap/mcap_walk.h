// Goes through all records of an MCAP file from its start, without its indexes. After damage it continues at the next
// record that is surely one: a chunk, an attachment, metadata or the end of the data. Uses memory for one record.
#pragma once

#include <functional>
#include <string>

#include "lib/recording/mcap/mcap_file.h"

namespace da::recording {

struct McapDamage {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // Bytes that cannot be read.
  std::string why;
};

struct McapWalk {
  // `chunk`: nullptr if the record is no chunk.
  std::function<Result<void>(const McapFile::Record& record, const McapFile::Chunk* chunk)> record;
  std::function<Result<void>(const McapDamage& damage)> damage;
};

// Stops at the first error of a callback, and after the footer. The search for records after damage is limited: a file
// that is made to look like many chunks everywhere is damaged up to its end.
Result<void> walk(const McapFile& file, const McapWalk& callbacks);

}  // namespace da::recording
