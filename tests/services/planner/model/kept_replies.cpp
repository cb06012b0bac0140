#include "tests/services/planner/model/kept_replies.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace da::planner::model {
namespace {

const std::filesystem::path kReplies(DA_REPLIES_DIR);
constexpr std::string_view kAndMore = "[...]";

KeptReply read_reply(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  KeptReply reply{.file = path.lexically_relative(kReplies).string(), .expected = {}, .text = {}};
  std::getline(file, reply.expected);
  // Read at once: an iterator takes a second for all files in an unoptimized test.
  reply.text.resize(std::filesystem::file_size(path) - static_cast<std::uintmax_t>(file.tellg()));
  file.read(reply.text.data(), static_cast<std::streamsize>(reply.text.size()));
  return reply;
}

}  // namespace

std::string KeptReply::test_name() const {
  const std::filesystem::path path(file);
  const std::string folder = path.parent_path().filename().string();
  return folder + "_" + path.stem().string();
}

std::ostream& operator<<(std::ostream& out, const KeptReply& reply) { return out << reply.file; }

std::vector<KeptReply> kept_replies(std::string_view folder) {
  std::vector<KeptReply> replies;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kReplies / folder)) {
    if (entry.path().extension() == ".reply") replies.push_back(read_reply(entry.path()));
  }
  std::ranges::sort(replies, {}, &KeptReply::file);
  return replies;
}

bool is_expected(const KeptReply& reply, const std::string& error) {
  std::string_view expected = reply.expected;
  const bool has_more = expected.ends_with(kAndMore);
  if (has_more) expected.remove_suffix(kAndMore.size());
  if (has_more ? error.starts_with(expected) : error == expected) return true;
  if (std::getenv("DA_UPDATE_GOLDEN") == nullptr) return false;
  std::ofstream(kReplies / reply.file, std::ios::binary) << error << '\n' << reply.text;
  return true;
}

}  // namespace da::planner::model
