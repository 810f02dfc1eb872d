// Reads an object of schemas by name, and writes the parameters that the AI SDK sends to Google for each.
// It runs in the folder that `sh .ci/deep` made. Nothing is sent: the request ends in `fetch` below.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const load = async (name) => {
  const path = createRequire(`${process.cwd()}/`).resolve(name);
  return import(pathToFileURL(path).href);
};
let sdk, google;
try {
  sdk = await load("ai");
  google = await load("@ai-sdk/google");
} catch (error) {
  console.error(error.message);
  process.exit(3);
}
const answer = { candidates: [{ content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP" }], usageMetadata: {} };
const converted = {};
for (const [name, schema] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  const fetch = async (_, { body }) => {
    converted[name] = JSON.parse(body).tools[0].functionDeclarations[0].parameters;
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  };
  const model = google.createGoogleGenerativeAI({ apiKey: "none", fetch })("gemini-2.5-flash");
  const tools = { t: sdk.tool({ description: "d", inputSchema: sdk.jsonSchema(schema) }) };
  try {
    await sdk.generateText({ model, prompt: "hi", tools, maxRetries: 0 });
  } catch (error) {
    converted[name] = { refused: error.message };
  }
}
console.log(JSON.stringify(converted));
