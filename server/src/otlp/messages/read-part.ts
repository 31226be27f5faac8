/** Parts of messages as OpenAI, Anthropic, Gemini, Bedrock, the AI SDK, LangChain and OpenInference write them. */
import { field, isObject, parseJson, structured, textOrUndefined } from '../json-value.ts'
import type { Part } from './message.ts'
import { readMedia } from './read-media.ts'

type Block = Readonly<Record<string, unknown>>

/** Parts of a content: a text, one block, or many. A text that is the JSON of blocks is those. */
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
  // OpenInference wraps each block in a key of its own.
  const held = isObject(value.message_content) ? value.message_content : value
  // Pydantic AI's own history names the kind of a part otherwise.
  const block = typeof held.part_kind === 'string' ? { ...held, type: held.part_kind } : held
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
  const said = typeof text === 'string' ? text : field(block.reasoningText, 'text')
  if (typeof said !== 'string') return undefined
  const type = block.type ?? ''
  if (
    /^(thinking|reasoning|thought)/.test(String(type)) ||
    block.thought === true ||
    'reasoningText' in block
  ) {
    return { type: 'reasoning', content: said }
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
    ? { type: 'text', content: said }
    : undefined
}

/** Reasoning of OpenAI's responses: a list of texts. */
function summaryOf(summary: unknown): string | undefined {
  if (!Array.isArray(summary)) return undefined
  return summary.flatMap((each) => textOrUndefined(field(each, 'text')) ?? []).join('\n')
}

/** A tool call, whether it stands among the parts or in `tool_calls`. */
export function readToolCall(value: unknown): Part | undefined {
  if (!isObject(value)) return undefined
  const wrapped = value.tool_call ?? value.functionCall ?? value.function_call ?? value.toolUse
  const block = isObject(wrapped) ? wrapped : value
  const asked = isObject(block.function) ? block.function : block
  const isNamedCall =
    wrapped !== undefined ||
    isObject(block.function) ||
    /^(tool[_-](use|call)|server_tool_use|mcp_tool_use|function_call|function)$/.test(
      String(block.type ?? ''),
    )
  const name = textOrUndefined(asked.name ?? block.toolName ?? block.tool_name ?? block.name)
  if (!isNamedCall || name === undefined) return undefined
  const id = textOrUndefined(
    block.call_id ?? block.id ?? block.toolCallId ?? block.toolUseId ?? block.tool_call_id,
  )
  const given = asked.arguments ?? asked.args ?? asked.input ?? asked.parameters
  return {
    type: 'tool_call',
    ...(id === undefined ? {} : { id }),
    name,
    ...(given === undefined || given === null ? {} : { arguments: structured(given) }),
  }
}

function readToolResponse(block: Block): Part | undefined {
  const wrapped = block.functionResponse ?? block.function_response ?? block.toolResult
  const held = isObject(wrapped) ? wrapped : block
  const isResponse =
    isObject(wrapped) ||
    /^(tool[_-]result|tool_call_response|function_call_output|tool-return|.*_tool_result)$/.test(
      String(block.type ?? ''),
    )
  if (!isResponse) return undefined
  return toolResponse(
    held.tool_use_id ?? held.toolCallId ?? held.tool_call_id ?? held.call_id ?? held.toolUseId ?? held.id,
    held.toolName ?? held.name,
    held.response ?? held.result ?? held.output ?? held.content,
  )
}

/** The part for what a tool answered. */
export function toolResponse(id: unknown, name: unknown, response: unknown): Part {
  const ofCall = textOrUndefined(id)
  const ofTool = textOrUndefined(name)
  return {
    type: 'tool_call_response',
    ...(ofCall === undefined ? {} : { id: ofCall }),
    ...(ofTool === undefined ? {} : { name: ofTool }),
    response: response === undefined ? null : unwrapped(response),
  }
}

/** A response that is one text is that text; JSON text is what it says. */
function unwrapped(response: unknown): unknown {
  if (Array.isArray(response) && response.length === 1) {
    const text = field(response[0], 'text')
    if (typeof text === 'string') return structured(text)
  }
  // The AI SDK types what a tool gave: `{ type: 'json', value }`.
  if (isObject(response) && typeof response.type === 'string' && 'value' in response) return response.value
  return structured(response)
}
