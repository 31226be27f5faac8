/** The content of one message: a text, or parts in any provider's format. Pure. */
import { field, isObject, parsedJson, textAt } from './json.ts'
import type { Part } from './message.ts'

/** All parts of a content; none if it is empty. */
export function readParts(content: unknown): readonly Part[] {
  if (content === null || content === undefined || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (Array.isArray(content)) return content.flatMap(readParts)
  return isObject(content) ? [readPart(content)] : [{ type: 'other', value: content }]
}

/** The audio output of a model, with its transcript if present; an earlier answer is referenced only by id. */
export function readAudio(audio: unknown): readonly Part[] {
  if (!isObject(audio)) return []
  const transcript = textAt(audio, 'transcript')
  const words: readonly Part[] = transcript === undefined ? [] : [{ type: 'text', text: transcript }]
  const data = textAt(audio, 'data')
  const mediaType = data && audioTypeOf(data)
  return [...words, fileOf('Audio', mediaType, dataAddress(data, mediaType))]
}

/** The format is in the request, not in the response, so it is detected from the first bytes. */
const audioTypeOf = (base64: string): string | undefined =>
  [
    ['UklGR', 'audio/wav'],
    ['SUQz', 'audio/mpeg'],
    ['//', 'audio/mpeg'],
    ['T2dnU', 'audio/ogg'],
    ['ZkxhQ', 'audio/flac'],
  ].find(([start = '']) => base64.startsWith(start))?.[1]

type Fields = Readonly<Record<string, unknown>>

/** A part has a type field, except in Gemini, where its only key is its type. */
function readPart(part: Fields): Part {
  const type = textAt(part, 'type') ?? ''
  const read = readers[type]?.(part) ?? readGeminiPart(part)
  return read ?? { type: 'other', value: part }
}

const readers: Readonly<Record<string, (part: Fields) => Part | undefined>> = {
  text: readText,
  input_text: readText,
  output_text: readText,
  summary_text: readText,
  refusal: (part) => textPart(textAt(part, 'refusal')),
  reasoning: readReasoning,
  thinking: readReasoning,
  redacted_thinking: () => ({ type: 'reasoning', text: '(redacted by the provider)' }),
  // Anthropic, AI SDK, OpenTelemetry, OpenAI's Responses.
  tool_use: readCall,
  server_tool_use: readCall,
  'tool-call': readCall,
  tool_call: readCall,
  function_call: readCall,
  function: readCall,
  tool_result: readResult,
  web_search_tool_result: readResult,
  'tool-result': readResult,
  tool_call_response: readResult,
  function_call_output: readResult,
  image: readImage,
  image_url: readImage,
  input_image: readImage,
  media: readImage,
  blob: readImage,
  uri: readImage,
  file: readImage,
  input_file: readImage,
  document: readImage,
  input_audio: (part) => {
    const format = textAt(part.input_audio, 'format') ?? textAt(part, 'format')
    const mediaType = format && `audio/${format}`
    return fileOf('Audio', mediaType, dataAddress(textAt(part.input_audio, 'data'), mediaType))
  },
}

const textPart = (text: string | undefined): Part | undefined =>
  text === undefined ? undefined : { type: 'text', text }

function readText(part: Fields): Part | undefined {
  return textPart(textAt(part, 'text') ?? textAt(part, 'content'))
}

function readReasoning(part: Fields): Part | undefined {
  const summary = part.summary
  const text =
    textAt(part, 'text') ??
    textAt(part, 'thinking') ??
    textAt(part, 'reasoning') ??
    textAt(part, 'content') ??
    (Array.isArray(summary) ? summary.map((part) => textAt(part, 'text') ?? '').join('\n\n') : undefined)
  return text === undefined ? undefined : { type: 'reasoning', text }
}

function readCall(part: Fields): Part | undefined {
  const callPart = isObject(part.function) ? part.function : part
  const name = textAt(callPart, 'name') ?? textAt(callPart, 'toolName') ?? textAt(callPart, 'tool_name')
  if (name === undefined) return undefined
  const args = callPart.arguments ?? callPart.input ?? callPart.args
  const id = textAt(part, 'call_id') ?? textAt(part, 'toolCallId') ?? textAt(part, 'id')
  return { type: 'toolCall', id, name, args: parsedJson(args) }
}

function readResult(part: Fields): Part | undefined {
  const id =
    textAt(part, 'tool_use_id') ?? textAt(part, 'toolCallId') ?? textAt(part, 'call_id') ?? textAt(part, 'id')
  const result = part.content ?? part.output ?? part.result ?? part.response
  return {
    type: 'toolResult',
    id,
    name: textAt(part, 'toolName') ?? textAt(part, 'name'),
    result: plainResult(result),
    isError: part.is_error === true || part.isError === true,
  }
}

/** A result with a single text, however wrapped, is unwrapped; JSON in a text is parsed. */
export function plainResult(result: unknown): unknown {
  if (Array.isArray(result) && result.length === 1 && field(result[0], 'type') === 'text')
    return parsedJson(textAt(result[0], 'text') ?? result[0])
  const type = field(result, 'type')
  if (isObject(result) && (type === 'text' || type === 'json') && 'value' in result)
    return parsedJson(result.value)
  return parsedJson(result)
}

function readImage(part: Fields): Part | undefined {
  const source = isObject(part.source) ? part.source : part
  const mediaType =
    textAt(source, 'media_type') ??
    textAt(source, 'mediaType') ??
    textAt(source, 'mime_type') ??
    textAt(source, 'mimeType')
  const isImage =
    mediaType?.startsWith('image/') ??
    (field(part, 'type') !== 'file' &&
      field(part, 'type') !== 'document' &&
      field(part, 'type') !== 'input_file')
  const file = isObject(part.file) ? part.file : part
  const data = textAt(source, 'data') ?? textAt(part, 'image') ?? textAt(source, 'content')
  const address =
    textAt(part.image_url, 'url') ??
    textAt(part, 'image_url') ??
    textAt(source, 'url') ??
    textAt(source, 'uri') ??
    textAt(file, 'file_url') ??
    dataAddress(
      // An inline text is not encoded.
      textAt(source, 'type') === 'text' ? undefined : (data ?? textAt(file, 'file_data')),
      mediaType ?? (isImage ? 'image/png' : 'application/octet-stream'),
    )
  if (address !== undefined && isImage) return { type: 'image', address }
  const name =
    textAt(file, 'filename') ?? textAt(file, 'file_id') ?? textAt(file, 'name') ?? textAt(file, 'title')
  return fileOf(name, mediaType, address)
}

const fileOf = (
  name: string | undefined,
  mediaType: string | undefined,
  address: string | undefined,
): Part => ({ type: 'file', name, mediaType, ...(address !== undefined && { address }) })

/** Bare base64 becomes a `data:` URL of its type; undefined for an unknown type. */
function dataAddress(data: string | undefined, mediaType: string | undefined): string | undefined {
  if (data === undefined || /^[a-z]+:/i.test(data)) return data
  return mediaType && `data:${mediaType};base64,${data}`
}

function readGeminiPart(part: Fields): Part | undefined {
  if (typeof part.text === 'string')
    return part.thought === true ? { type: 'reasoning', text: part.text } : { type: 'text', text: part.text }
  const call = part.functionCall ?? part.function_call
  if (isObject(call)) return readCall(call)
  const response = part.functionResponse ?? part.function_response
  if (isObject(response)) return readResult(response)
  const data = part.inlineData ?? part.inline_data ?? part.fileData ?? part.file_data
  return isObject(data) ? readImage(data) : undefined
}
