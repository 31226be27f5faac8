/** Reads message parts of OpenAI, Anthropic, Gemini, Bedrock, the AI SDK, LangChain, Genkit and OpenInference. */
import { field, isObject, parseJson, parseStructure, textOrUndefined } from '../json-value.ts'
import type { Part } from './message.ts'
import { readMedia } from './read-media.ts'

type Block = Readonly<Record<string, unknown>>

/** The parts of a content: a text, one block or several. Parses text that is the JSON of blocks. */
export function readContent(content: unknown): Part[] {
  if (content === null || content === undefined || content === '') return []
  if (typeof content === 'string') {
    const blocks = parseJson(content)
    const isBlocks =
      Array.isArray(blocks) && blocks.length > 0 && blocks.every((block) => isObject(block) && isTyped(block))
    return isBlocks ? blocks.map(readPart) : [{ type: 'text', content }]
  }
  if (Array.isArray(content)) return content.flatMap((each) => (each === null ? [] : [readPart(each)]))
  if (isObject(content)) return [readPart(content)]
  return [{ type: 'text', content: String(content) }]
}

const blockTypes =
  /^(text|input_text|output_text|image|image_url|input_image|audio|input_audio|file|document|tool_use|tool_result|tool-call|tool-result|tool_call|thinking|reasoning)/

const isTyped = (block: Block): boolean => typeof block.type === 'string' && blockTypes.test(block.type)

function readPart(value: unknown): Part {
  if (!isObject(value)) return { type: 'text', content: typeof value === 'string' ? value : String(value) }
  // OpenInference wraps each block in an object with one key.
  const { message_content: content, ...outerFields } = value
  const innerValue = isObject(content) ? { ...outerFields, ...content } : value
  // Pydantic AI uses another key for the type of a part.
  const block =
    typeof innerValue.part_kind === 'string' ? { ...innerValue, type: innerValue.part_kind } : innerValue
  return (
    readText(block) ??
    readToolCall(block) ??
    readToolResponse(block) ??
    readMedia(block) ??
    (typeof block.type === 'string' ? { ...block, type: block.type } : { type: 'json', content: block })
  )
}

function readText(block: Block): Part | undefined {
  const text = [block.text, block.content, block.thinking, block.reasoning, summaryOf(block.summary)].find(
    (each) => typeof each === 'string',
  )
  const content = typeof text === 'string' ? text : field(block.reasoningText, 'text')
  if (typeof content !== 'string') return undefined
  const type = block.type ?? ''
  if (
    /^(thinking|reasoning|thought)/.test(String(type)) ||
    block.thought === true ||
    'reasoningText' in block ||
    (type === '' && content === block.reasoning)
  ) {
    return { type: 'reasoning', content }
  }
  return [
    '',
    'text',
    'input_text',
    'output_text',
    'refusal',
    'text_delta',
    'user-prompt',
    'system-prompt',
  ].includes(String(type)) && !('role' in block)
    ? { type: 'text', content }
    : undefined
}

/** Reasoning in OpenAI's Responses API is a list of texts. */
function summaryOf(summary: unknown): string | undefined {
  if (!Array.isArray(summary)) return undefined
  return summary.flatMap((each) => textOrUndefined(field(each, 'text')) ?? []).join('\n')
}

/** A tool call, from the parts or from `tool_calls`. */
export function readToolCall(value: unknown): Part | undefined {
  if (!isObject(value)) return undefined
  const wrapped =
    value.tool_call ?? value.functionCall ?? value.function_call ?? value.toolUse ?? value.toolRequest
  const block = isObject(wrapped) ? wrapped : value
  const call = isObject(block.function) ? block.function : block
  const isNamedCall =
    wrapped !== undefined ||
    isObject(block.function) ||
    /^(tool[_-](use|call)|server_tool_use|mcp_tool_use|function_call|function)$/.test(
      String(block.type ?? ''),
    )
  const name = textOrUndefined(call.name ?? block.toolName ?? block.tool_name ?? block.name)
  if (!isNamedCall || name === undefined) return undefined
  const id = textOrUndefined(
    block.call_id ?? block.id ?? block.toolCallId ?? block.toolUseId ?? block.tool_call_id ?? block.ref,
  )
  const input = call.arguments ?? call.args ?? call.input ?? call.parameters
  return {
    type: 'tool_call',
    ...(id === undefined ? {} : { id }),
    name,
    ...(input === undefined || input === null ? {} : { arguments: parseStructure(input) }),
  }
}

function readToolResponse(block: Block): Part | undefined {
  const wrapped = block.functionResponse ?? block.function_response ?? block.toolResult ?? block.toolResponse
  const innerValue = isObject(wrapped) ? wrapped : block
  const isResponse =
    isObject(wrapped) ||
    /^(tool[_-]result|tool_call_response|function_call_output|tool-return|.*_tool_result)$/.test(
      String(block.type ?? ''),
    )
  if (!isResponse) return undefined
  return toolResponse(
    innerValue.tool_use_id ??
      innerValue.toolCallId ??
      innerValue.tool_call_id ??
      innerValue.call_id ??
      innerValue.toolUseId ??
      innerValue.id ??
      innerValue.ref,
    innerValue.toolName ?? innerValue.name,
    innerValue.response ?? innerValue.result ?? innerValue.output ?? innerValue.content,
  )
}

/** The part for a tool's response. */
export function toolResponse(id: unknown, name: unknown, response: unknown): Part {
  const callId = textOrUndefined(id)
  const toolName = textOrUndefined(name)
  return {
    type: 'tool_call_response',
    ...(callId === undefined ? {} : { id: callId }),
    ...(toolName === undefined ? {} : { name: toolName }),
    response: response === undefined ? null : unwrapResponse(response),
  }
}

/** Unwraps a response that is a single text, and parses JSON text. The tool's own result is unchanged. */
function unwrapResponse(response: unknown): unknown {
  if (Array.isArray(response) && response.length === 1) {
    const { type, text, ...others } = isObject(response[0]) ? response[0] : {}
    const isText = (type === 'text' || type === undefined) && Object.keys(others).length === 0
    if (typeof text === 'string' && isText) return parseStructure(text)
  }
  if (isObject(response) && 'value' in response) {
    const { type, value, ...others } = response
    if (resultTypes.has(type) && Object.keys(others).length === 0) return value
  }
  return parseStructure(response)
}

/** The AI SDK wraps results with their type: `{ type: 'json', value }`. */
const resultTypes = new Set<unknown>(['text', 'json', 'error-text', 'error-json', 'content'])
