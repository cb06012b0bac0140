// Bytes and digests that stand for a message. Any thread.
#pragma once

#include <google/protobuf/message_lite.h>

#include <string>

#include "da/v1/tools.pb.h"

namespace da::contract {

// Deterministic serialisation: the same content gives the same bytes in every process of this version.
std::string canonical_bytes(const google::protobuf::MessageLite& message);

// BLAKE2b-256 of canonical_bytes.
std::string digest(const google::protobuf::MessageLite& message);

// What an Ed25519 signature of a grant covers: "da.v1.grant", a zero byte, and the claims as sent.
std::string grant_signing_input(const std::string& claims);

}  // namespace da::contract
