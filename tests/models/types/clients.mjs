// Each vendor's own client asks the model server once: node clients.mjs PORT KEY IMAGE_AS_BASE64
// Prints one JSON object with the model's text that each client read.
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";

const [port, apiKey, image] = process.argv.slice(2);
const origin = `http://127.0.0.1:${port}`;
const schema = {
  type: "object", additionalProperties: false, required: ["tool"], properties: { tool: { type: "string" } },
};
const question = "What is on the screen?";
const openai = new OpenAI({ apiKey, baseURL: `${origin}/v1`, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey, baseURL: origin, maxRetries: 0 });
const gemini = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: origin } });

const chat = await openai.chat.completions.create({
  model: "gpt-4o", max_completion_tokens: 100,
  messages: [{ role: "user", content: [
    { type: "text", text: question }, { type: "image_url", image_url: { url: `data:image/png;base64,${image}` } }] }],
  response_format: { type: "json_schema", json_schema: { name: "plan", strict: true, schema } },
});
const responses = await openai.responses.create({
  model: "gpt-5.4", max_output_tokens: 100, tools: [{ type: "computer" }],
  input: [{ role: "user", content: [
    { type: "input_text", text: question },
    { type: "input_image", detail: "auto", image_url: `data:image/png;base64,${image}` }] }],
});
const message = await anthropic.messages.create({
  model: "claude-sonnet-4-5", max_tokens: 100, output_config: { format: { type: "json_schema", schema } },
  messages: [{ role: "user", content: [
    { type: "text", text: question },
    { type: "image", source: { type: "base64", media_type: "image/png", data: image } }] }],
});
const beta = await anthropic.beta.messages.create({
  model: "claude-sonnet-4-5", max_tokens: 100, betas: ["computer-use-2025-01-24"],
  tools: [{ type: "computer_20250124", name: "computer", display_width_px: 800, display_height_px: 600 }],
  messages: [{ role: "user", content: question }],
});
const generated = await gemini.models.generateContent({
  model: "gemini-2.5-pro",
  contents: [{ role: "user", parts: [{ text: question }, { inlineData: { mimeType: "image/png", data: image } }] }],
  config: {
    maxOutputTokens: 100, responseMimeType: "application/json", systemInstruction: "You drive a desktop.",
    responseSchema: { type: "OBJECT", properties: { tool: { type: "STRING" } }, required: ["tool"] },
  },
});
console.log(JSON.stringify({
  openai_chat: chat.choices[0].message.content, openai_responses: responses.output_text,
  anthropic: message.content[0].text, anthropic_beta: beta.content[0].name, gemini: generated.text,
}));
