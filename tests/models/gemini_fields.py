"""The fields of a request to Gemini generateContent, as the Gemini API's JSON spells them.

Source: the request types of the npm package @google/genai (2.32), less what their comments and the package's conversion
to the Gemini API call unsupported there (routingConfig, labels, modelArmorConfig, ...: they belong to the Cloud's API).
Protobuf's JSON also reads snake_case; the published form is camelCase, so nothing else is taken here.
"""

import images
import schemas
from strict import ANY, FLAG, OBJECT, TEXT, TEXTS, List, Map, Number, Only, Shape, Text, Whole, inside

DATA = ("text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult",
        "toolCall", "toolResponse")
LEVEL = Only("MEDIA_RESOLUTION_UNSPECIFIED", "MEDIA_RESOLUTION_LOW", "MEDIA_RESOLUTION_MEDIUM", "MEDIA_RESOLUTION_HIGH")


def _blob(blob, place, report):
    if blob["mimeType"].startswith("image/"):
        images.look_at(blob["mimeType"], blob["data"], inside(place, "data"), report)


def _part(part, place, report):
    given = [name for name in DATA if name in part]
    if len(given) != 1:
        report.add("missing_field", place, f"one of {', '.join(DATA)} must be set, and one alone")


BLOB = Shape({"mimeType": Text(1), "data": Text(1), "displayName?": TEXT}, then=_blob)
PART = Shape({
    "text?": TEXT,
    "inlineData?": BLOB,
    "fileData?": Shape({"fileUri": TEXT, "mimeType?": TEXT, "displayName?": TEXT}),
    "functionCall?": Shape({"name": TEXT, "args?": OBJECT, "id?": TEXT}),
    "functionResponse?": Shape({
        "name": TEXT, "response": OBJECT, "id?": TEXT, "parts?": List(Shape({
            "inlineData?": BLOB, "fileData?": Shape({"fileUri": TEXT, "mimeType?": TEXT, "displayName?": TEXT})})),
        "scheduling?": Only("SCHEDULING_UNSPECIFIED", "SILENT", "WHEN_IDLE", "INTERRUPT"), "willContinue?": FLAG}),
    "executableCode?": Shape({"language": Only("PYTHON"), "code": TEXT, "id?": TEXT}),
    "codeExecutionResult?": Shape({"outcome": TEXT, "output?": TEXT, "id?": TEXT}),
    "toolCall?": Shape({"id?": TEXT, "toolType?": TEXT, "args?": OBJECT}),
    "toolResponse?": Shape({"id?": TEXT, "toolType?": TEXT, "response?": OBJECT}),
    "thought?": FLAG,
    "thoughtSignature?": TEXT,
    "partMetadata?": OBJECT,
    "videoMetadata?": Shape({"startOffset?": TEXT, "endOffset?": TEXT, "fps?": Number()}),
    "mediaResolution?": Shape({"level?": Only(*LEVEL.values, "MEDIA_RESOLUTION_ULTRA_HIGH"), "numTokens?": Whole(1)}),
    "mediaProcessing?": Only("MEDIA_PROCESSING_UNSPECIFIED", "STATIC", "AGENTIC"),
    "speechMetadata?": Shape({"speaker?": TEXT, "style?": TEXT}),
}, then=_part)
CONTENT = Shape({"role?": Only("user", "model"), "parts": List(PART, 1)})


def _json_schema(config, place, report):
    schema = config.get("responseJsonSchema")
    if schema is not None:
        schemas.check_subset(schemas.GEMINI_JSON, schema, inside(place, "responseJsonSchema"), report)
        if "responseSchema" in config:
            report.add("schema", place, "responseSchema and responseJsonSchema exclude each other")
    if ("responseSchema" in config or schema is not None) and config.get("responseMimeType") not in (
            "application/json", "text/x.enum"):
        report.add("schema", inside(place, "responseMimeType"), "must be application/json where a schema is given")


VOICE = Shape({"prebuiltVoiceConfig?": Shape({"voiceName?": TEXT}), "replicatedVoiceConfig?": OBJECT, "voice?": TEXT})
GENERATION_CONFIG = Shape({
    "stopSequences?": List(TEXT, 0, 5),
    "responseMimeType?": Only("text/plain", "application/json", "text/x.enum"),
    "responseSchema?": schemas.GEMINI_SCHEMA,
    "responseJsonSchema?": ANY,
    "responseFormat?": List(OBJECT),
    "responseModalities?": List(Only("MODALITY_UNSPECIFIED", "TEXT", "IMAGE", "AUDIO", "VIDEO")),
    "candidateCount?": Whole(1, 8),
    "maxOutputTokens?": Whole(1),
    "temperature?": Number(0, 2),
    "topP?": Number(0, 1),
    "topK?": Whole(1),
    "seed?": Whole(),
    "presencePenalty?": Number(-2, 2),
    "frequencyPenalty?": Number(-2, 2),
    "responseLogprobs?": FLAG,
    "logprobs?": Whole(0, 20),
    "enableEnhancedCivicAnswers?": FLAG,
    "enableAffectiveDialog?": FLAG,
    "speechConfig?": Shape({"voiceConfig?": VOICE, "languageCode?": TEXT, "multiSpeakerVoiceConfig?": Shape({
        "speakerVoiceConfigs?": List(Shape({"speaker?": TEXT, "voiceConfig?": VOICE}))})}),
    "thinkingConfig?": Shape({
        "includeThoughts?": FLAG, "thinkingBudget?": Whole(-1),
        "thinkingLevel?": Only("THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH")}),
    "imageConfig?": Shape({"aspectRatio?": TEXT, "imageSize?": TEXT}),
    "mediaResolution?": LEVEL,
    "audioTranscriptionConfig?": OBJECT,
    "translationConfig?": Shape({"echoTargetLanguage?": FLAG, "targetLanguageCode?": TEXT}),
}, then=_json_schema)


def _declaration(declaration, place, report):
    for given, json_schema in (("parameters", "parametersJsonSchema"), ("response", "responseJsonSchema")):
        if given in declaration and json_schema in declaration:
            report.add("schema", place, f"{given} and {json_schema} exclude each other")


def _tool(tool, place, report):
    if not tool:
        report.add("missing_field", place, "a tool names what it is")


EMPTY = Shape({})
PERIOD = Shape({"startTime?": TEXT, "endTime?": TEXT})
TOOL = Shape({
    "functionDeclarations?": List(Shape({
        "name": Text(1, 128), "description?": TEXT, "behavior?": Only("UNSPECIFIED", "BLOCKING", "NON_BLOCKING"),
        "parameters?": schemas.GEMINI_SCHEMA, "parametersJsonSchema?": ANY, "response?": schemas.GEMINI_SCHEMA,
        "responseJsonSchema?": ANY}, then=_declaration)),
    "computerUse?": Shape({
        "environment": Only("ENVIRONMENT_UNSPECIFIED", "ENVIRONMENT_BROWSER", "ENVIRONMENT_MOBILE",
                            "ENVIRONMENT_DESKTOP"),
        "excludedPredefinedFunctions?": TEXTS, "enablePromptInjectionDetection?": FLAG,
        "disabledSafetyPolicies?": List(Only(
            "SAFETY_POLICY_UNSPECIFIED", "FINANCIAL_TRANSACTIONS", "SENSITIVE_DATA_MODIFICATION", "COMMUNICATION_TOOL",
            "ACCOUNT_CREATION", "DATA_MODIFICATION", "USER_CONSENT_MANAGEMENT", "LEGAL_TERMS_AND_AGREEMENTS"))}),
    "codeExecution?": EMPTY, "urlContext?": EMPTY,
    "googleSearch?": Shape({"timeRangeFilter?": PERIOD, "searchTypes?": Shape({"imageSearch?": EMPTY,
                                                                               "webSearch?": EMPTY})}),
    "googleSearchRetrieval?": Shape({"dynamicRetrievalConfig?": Shape({
        "mode?": Only("MODE_UNSPECIFIED", "MODE_DYNAMIC"), "dynamicThreshold?": Number()})}),
    "googleMaps?": Shape({"enableWidget?": FLAG}),
    "fileSearch?": Shape({"fileSearchStoreNames?": TEXTS, "metadataFilter?": TEXT, "topK?": Whole(1)}),
    "mcpServers?": List(Shape({"name?": TEXT, "streamableHttpTransport?": Shape({
        "url?": TEXT, "headers?": Map(TEXT), "timeout?": TEXT, "sseReadTimeout?": TEXT, "terminateOnClose?": FLAG})})),
}, then=_tool)
REQUEST = Shape({
    "contents": List(CONTENT, 1),
    "systemInstruction?": Shape({"role?": TEXT, "parts": List(PART, 1)}),
    "generationConfig?": GENERATION_CONFIG,
    "safetySettings?": List(Shape({
        "category": Only(
            "HARM_CATEGORY_UNSPECIFIED", "HARM_CATEGORY_HARASSMENT", "HARM_CATEGORY_HATE_SPEECH",
            "HARM_CATEGORY_SEXUALLY_EXPLICIT", "HARM_CATEGORY_DANGEROUS_CONTENT", "HARM_CATEGORY_CIVIC_INTEGRITY"),
        "threshold": Only(
            "HARM_BLOCK_THRESHOLD_UNSPECIFIED", "BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH",
            "BLOCK_NONE", "OFF")})),
    "tools?": List(TOOL),
    "toolConfig?": Shape({
        "functionCallingConfig?": Shape({"mode?": Only("MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"),
                                         "allowedFunctionNames?": TEXTS}),
        "retrievalConfig?": Shape({"languageCode?": TEXT,
                                   "latLng?": Shape({"latitude?": Number(), "longitude?": Number()})}),
        "includeServerSideToolInvocations?": FLAG}),
    "cachedContent?": TEXT,
    "continuationToken?": TEXT,
    "labels?": Map(TEXT),
    "serviceTier?": Only("unspecified", "flex", "standard", "priority"),
    "store?": FLAG,
    "model?": TEXT,  # As in the path; the reference shows it there alone.
})
