// The test vectors of docs/GRANTS.md, as they stand there.
#pragma once

#include <sodium.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace da::test {

// name -> bytes; empty where the document has none.
inline std::map<std::string, std::string> grant_vectors(const std::string& document) {
  std::map<std::string, std::string> hexadecimal;
  std::ifstream file(document);
  bool inside = false;
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) inside = line == "```vectors";
    if (!inside || line.starts_with("```")) continue;
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (!line.starts_with(' ')) {
      name = word;
    } else {
      hexadecimal[name] += word;
    }
  }
  std::map<std::string, std::string> found;
  for (const auto& [key, digits] : hexadecimal) {
    std::string bytes(digits.size() / 2, '\0');
    if (sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), digits.data(), digits.size(),
                       nullptr, nullptr, nullptr) == 0) {
      found[key] = std::move(bytes);
    }
  }
  return found;
}

}  // namespace da::test
