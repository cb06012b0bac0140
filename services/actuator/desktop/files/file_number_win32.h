// The number that tells a file of a volume from every other one. Pure; any thread.
//
// A file has an id of 128 bits and an index of 64. Where a file system has no such id, Windows answers with zero (FAT),
// or with all ones where the id does not fit (MS-FSCC 2.1.9 and 2.1.10).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace da::actuator {

// `id`: its first and second 64 bits; nullopt if Windows did not tell it. ReFS needs all of them: the first half is the
// file's number in its folder. NTFS uses the first half only. nullopt: the file has no number.
std::optional<std::uint64_t> file_number(const std::optional<std::array<std::uint64_t, 2>>& id, std::uint64_t index);

}  // namespace da::actuator
