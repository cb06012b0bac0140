// Canonical bytes, digests and signing input of messages. Any thread.
#pragma once

#include <google/protobuf/message_lite.h>

#include <string>

#include "da/v1/tools.pb.h"

namespace da::contract {

// Deterministic serialisation: equal content gives equal bytes in every process of this version.
std::string canonical_bytes(const google::protobuf::MessageLite& message);

// BLAKE2b-256 of canonical_bytes.
std::string digest(const google::protobuf::MessageLite& message);

// The signed bytes of a grant (Ed25519): "da.v1.grant", a zero byte, and the claims as sent.
std::string grant_signing_input(const std::string& claims);

}  // namespace da::contract
