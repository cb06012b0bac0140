// Reads an MCAP file with @mcap/core, indexed and as a stream, checks its checksums, and decodes each message with the
// schema of its channel. Prints one JSON object. Exit code 1 if the file is not as the specification says.
//
//   NODE_PATH=node_modules node read.cjs FILE whole|partial [TEXT...]
//
// partial: the file has no end, because its writer was killed; it is read as a stream up to there. "found" are those of
// the texts that are in the decompressed content.
const { createHash } = require("crypto");
const { open } = require("fs/promises");
const { McapIndexedReader, McapStreamReader } = require("@mcap/core");
const { FileHandleReadable } = require("@mcap/nodejs");
const { loadDecompressHandlers } = require("@mcap/support");
const { crc32 } = require("@foxglove/crc");
const protobuf = require("protobufjs");
require("protobufjs/ext/descriptor");

const BLOCK = 1 << 20;
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");
const plain = (map) => Object.fromEntries([...map].map(([key, value]) => [key, String(value)]));

function decoder(schema) {
  const set = protobuf.Root.fromDescriptor(
    require("protobufjs/ext/descriptor").FileDescriptorSet.decode(schema.data));
  const type = set.lookupType(schema.name);
  return (data) => type.toObject(type.decode(data), { longs: String, enums: String, bytes: String });
}

function message(record, channels) {
  return { topic: channels.get(record.channelId).topic, sequence: record.sequence, log_ns: String(record.logTime),
           publish_ns: String(record.publishTime), size: record.data.length, sha256: hash(record.data) };
}

async function readIndexed(handle, decompressHandlers) {
  const reader = await McapIndexedReader.Initialize({ readable: new FileHandleReadable(handle), decompressHandlers });
  const messages = [];
  for await (const record of reader.readMessages({ validateCrcs: true })) {
    messages.push(message(record, reader.channelsById));
  }
  const attachments = [];
  for await (const found of reader.readAttachments({ validateCrcs: true })) attachments.push(found.name);
  const metadata = [];
  for await (const found of reader.readMetadata()) metadata.push(found.name);
  return { messages, attachments, metadata, profile: reader.header.profile, chunks: reader.chunkIndexes.length,
           statistics: reader.statistics && { messages: String(reader.statistics.messageCount),
                                              schemas: reader.statistics.schemaCount,
                                              channels: reader.statistics.channelCount,
                                              chunks: reader.statistics.chunkCount,
                                              attachments: reader.statistics.attachmentCount,
                                              metadata: reader.statistics.metadataCount },
           data_crc: reader.dataSectionCrc, data_end: String(reader.dataEndOffset) };
}

async function readStream(handle, decompressHandlers, partial, texts) {
  const reader = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  const result = { messages: [], attachments: [], metadata: [], footer: false, found: [], undecodable: [] };
  const decode = (schema, data) => {
    try {
      return decoders.get(schema.id)(data);
    } catch (error) {
      result.undecodable.push(`${schema.name}: ${error.message}`);
      return {};
    }
  };
  const search = (bytes) => result.found.push(...texts.filter((text) => Buffer.from(bytes).includes(text)));
  const channels = new Map(), schemas = new Map(), decoders = new Map();
  const size = (await handle.stat()).size;
  const block = Buffer.alloc(BLOCK);
  for (let at = 0; at < size; at += BLOCK) {
    const { bytesRead } = await handle.read(block, 0, BLOCK, at);
    reader.append(new Uint8Array(block.subarray(0, bytesRead)));
    for (let record; (record = reader.nextRecord()); ) {
      if (record.type === "Schema") schemas.set(record.id, record);
      if (record.type === "Channel") channels.set(record.id, record);
      if (record.type === "Attachment") {
        search(record.data);
        result.attachments.push({ name: record.name, media_type: record.mediaType, size: record.data.length,
                                  text: record.mediaType.startsWith("application/x-") ? "" :
                                    Buffer.from(record.data).toString() });
      }
      if (record.type === "Metadata") {
        search(JSON.stringify(plain(record.metadata)));
        result.metadata.push({ name: record.name, values: plain(record.metadata) });
      }
      if (record.type === "Footer") result.footer = true;
      if (record.type !== "Message") continue;
      search(record.data);
      const schema = schemas.get(channels.get(record.channelId).schemaId);
      if (!decoders.has(schema.id)) decoders.set(schema.id, decoder(schema));
      result.messages.push({ ...message(record, channels), schema: schema.name,
                             decoded: decode(schema, record.data) });
    }
  }
  if (!partial && !reader.done()) throw new Error("the file has no end");
  return result;
}

async function dataCrc(handle, end) {
  const bytes = Buffer.alloc(Number(end));
  await handle.read(bytes, 0, bytes.length, 0);
  return crc32(bytes);
}

async function main() {
  const [file, mode, ...texts] = process.argv.slice(2);
  const partial = mode === "partial";
  const handle = await open(file, "r");
  const handlers = await loadDecompressHandlers();
  const stream = await readStream(handle, handlers, partial, texts);
  const indexed = partial ? null : await readIndexed(handle, handlers);
  if (indexed && indexed.data_crc !== (await dataCrc(handle, indexed.data_end))) {
    throw new Error("the checksum of the data section is wrong");
  }
  process.stdout.write(JSON.stringify({ stream, indexed }));
}

main().catch((error) => {
  console.error(`read.cjs: ${error.message}`);
  process.exitCode = 1;
});
