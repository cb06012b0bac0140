#include "services/planner/model/base64.h"

#include <sodium.h>

namespace da::planner::model {

std::string base64(std::string_view bytes) {
  // The length that libsodium asks for includes the zero at the end.
  std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                    sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();
  return text;
}

}  // namespace da::planner::model
