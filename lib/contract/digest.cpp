#include "lib/contract/digest.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "lib/base/id.h"

namespace da::contract {

std::string canonical_bytes(const google::protobuf::MessageLite& message) {
  std::string bytes;
  bytes.reserve(message.ByteSizeLong());
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return bytes;
}

std::string digest(const google::protobuf::MessageLite& message) { return blake2b(canonical_bytes(message)); }

std::string grant_signing_input(const std::string& claims) {
  constexpr std::string_view kDomain("da.v1.grant\0", 12);
  std::string input(kDomain);
  return input += claims;
}

}  // namespace da::contract
