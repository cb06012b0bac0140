#include "services/planner/model/wire/base64.h"

#include <openssl/evp.h>

namespace da::planner::model {

std::string base64(std::string_view bytes, std::string_view before) {
  std::string text(before);
  text.resize(before.size() + (bytes.size() + 2) / 3 * 4 + 1);  // OpenSSL adds a zero byte.
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data() + before.size()),
                  reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.pop_back();
  return text;
}

}  // namespace da::planner::model
