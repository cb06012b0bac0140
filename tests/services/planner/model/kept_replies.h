// Replies of models in the files of replies/; its README describes the format.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace da::planner::model {

struct KeptReply {
  std::string file;      // "malformed/keys/no_done.reply", below replies/.
  std::string expected;  // The first line.
  std::string text;      // The rest: the model's bytes.

  // "keys_no_done", for test names.
  std::string test_name() const;
};

// Prints the file's name if a test fails.
std::ostream& operator<<(std::ostream& out, const KeptReply& reply);

// All replies below one folder of replies/, sorted by file name.
std::vector<KeptReply> kept_replies(std::string_view folder);

// Compares the error with the file's first line, which may end with "[...]" for any rest. DA_UPDATE_GOLDEN=1 in the
// environment rewrites the file if they differ.
bool is_expected(const KeptReply& reply, const std::string& error);

}  // namespace da::planner::model
