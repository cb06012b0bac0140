// Replies of models that are kept as files, in replies/; its README says how they are written.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace da::planner::model {

struct KeptReply {
  std::string file;      // "malformed/keys/no_done.reply", below replies/.
  std::string expected;  // The first line.
  std::string text;      // What follows: the model's own bytes.

  // "keys_no_done": for the names of tests.
  std::string test_name() const;
};

// As its file, where a test fails.
std::ostream& operator<<(std::ostream& out, const KeptReply& reply);

// Everything below one folder of replies/, in the order of the files' names.
std::vector<KeptReply> kept_replies(std::string_view folder);

// Whether the error is the one that the file gives, which may say "[...]" for its end. With DA_UPDATE_GOLDEN=1 in the
// environment the file is written anew where it is not.
bool is_expected(const KeptReply& reply, const std::string& error);

}  // namespace da::planner::model
