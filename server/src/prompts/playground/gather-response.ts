import type { CallUsage } from '../../ingest/usage/price-call.ts'
import { cutProblem, type startCall, wasCut } from './call.ts'

type Stream = Awaited<ReturnType<typeof startCall>>['fullStream']

/** The complete response: its text, or a message if the model called tools. */
export async function gatherResponse(
  stream: Stream,
  signal: AbortSignal,
): Promise<{ output: unknown; usage: CallUsage }> {
  let text = ''
  let usage: CallUsage | undefined
  const toolCalls: object[] = []
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        text += part.text
        break
      case 'tool-call':
        toolCalls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input })
        break
      case 'error':
        throw part.error
      case 'abort':
        throw signal.reason
      case 'finish':
        if (!wasCut(part)) usage = part.totalUsage
        break
      default:
      // The SDK's other events add nothing.
    }
  }
  if (usage === undefined) throw new Error(cutProblem)
  const output = toolCalls.length === 0 ? text : { role: 'assistant', content: text, toolCalls }
  return { output, usage }
}
