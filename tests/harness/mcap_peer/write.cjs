// Writes an MCAP file with @mcap/core: MESSAGES messages of seven channels, an attachment and a metadata record. Prints
// the messages as one JSON list.
//
//   NODE_PATH=node_modules node write.cjs FILE MESSAGES zstd|plain|unchunked summary|none
const { createHash } = require("crypto");
const { open } = require("fs/promises");
const { McapWriter } = require("@mcap/core");
const { FileHandleWritable } = require("@mcap/nodejs");
const zstd = require("@foxglove/wasm-zstd");

const CHANNELS = 7;
const CHUNK_BYTES = 64 << 10;
const ATTACHED = Buffer.from("an attachment");

// Different lengths, from 0 up; partly compressible.
const content = (number) => Buffer.concat([createHash("sha512").update(String(number)).digest(),
                                           Buffer.alloc((number * 37) % 900, number)]).subarray((number * 7) % 64);

async function main() {
  const [file, count, compression, summary] = process.argv.slice(2);
  await zstd.isLoaded;
  const all = summary === "summary";
  const writer = new McapWriter({
    writable: new FileHandleWritable(await open(file, "wx")), chunkSize: CHUNK_BYTES, useChunks: compression !== "unchunked",
    useStatistics: all, useSummaryOffsets: all, repeatSchemas: all, repeatChannels: all, useAttachmentIndex: all,
    useMetadataIndex: all, useMessageIndex: all, useChunkIndex: all,
    compressChunk: compression === "zstd"
      ? (bytes) => ({ compression: "zstd", compressedData: zstd.compress(bytes, 3) }) : undefined });
  await writer.start({ profile: "", library: "a peer" });
  const channels = [];
  for (let number = 0; number < CHANNELS; number++) {
    const schemaId = await writer.registerSchema({ name: `peer.Type${number}`, encoding: "jsonschema",
                                                   data: Buffer.from("{}") });
    channels.push(await writer.registerChannel({ schemaId, topic: `peer.topic${number}`, messageEncoding: "json",
                                                 metadata: new Map([["unit", "m"]]) }));
  }
  const written = [];
  for (let number = 0; number < Number(count); number++) {
    const data = content(number), time = 1_000_000_000n + BigInt(number) * 1_000n;
    await writer.addMessage({ channelId: channels[number % CHANNELS], sequence: number, logTime: time,
                              publishTime: time - 5n, data });
    written.push({ topic: `peer.topic${number % CHANNELS}`, sequence: number, log_ns: String(time),
                   publish_ns: String(time - 5n), size: data.length,
                   sha256: createHash("sha256").update(data).digest("hex") });
  }
  await writer.addAttachment({ logTime: 1n, createTime: 1n, name: "peer.txt", mediaType: "text/plain", data: ATTACHED });
  await writer.addMetadata({ name: "peer", metadata: new Map([["a", "b"]]) });
  await writer.end();
  process.stdout.write(JSON.stringify(written));
}

main().catch((error) => {
  console.error(`write.cjs: ${error.message}`);
  process.exitCode = 1;
});
