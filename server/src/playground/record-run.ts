/** A run of the playground as a trace, by the way of every other. */
import { trace } from '../monitor/trace.ts'
import type { Run } from './run.ts'

interface Result {
  readonly text: string
  readonly toolCalls: readonly object[]
  readonly startedAt: number
  readonly durationMs: number
  /** Null where the provider does not tell. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null
  readonly cost: number | null
}

/** Records it and answers its id. */
export async function recordRun(run: Run, result: Result): Promise<string> {
  const { asked, context, provider, model, sent, version } = run
  const { text, toolCalls, startedAt, durationMs, usage, cost } = result
  const startTime = new Date(startedAt).toISOString()
  const endTime = new Date(startedAt + durationMs).toISOString()
  const output =
    toolCalls.length === 0 ? text : { role: 'assistant', content: text, toolCalls: [...toolCalls] }
  const recorded = {
    name: 'playground',
    ...(asked.featureSlug == null ? {} : { featureSlug: asked.featureSlug }),
    input: [...sent],
    output,
    startTime,
    endTime,
    metadata: { source: 'playground' },
    logs: [
      {
        id: 'generation',
        type: 'generation' as const,
        startTime,
        endTime,
        input: [...sent],
        output,
        ...(usage === null ? {} : { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
        ...(cost === null ? {} : { cost }),
        metadata: { model, provider },
        ...(asked.prompt == null || version === undefined
          ? {}
          : { prompt: { slug: asked.prompt.slug, version } }),
      },
    ],
  }
  const body = Buffer.from(JSON.stringify(recorded))
  const answer = await trace(recorded, { ...context, body, claimedIds: undefined })
  // Safe: the verb of `monitor.trace` answers a plain object.
  return (answer as { trace: { id: string } }).trace.id
}
