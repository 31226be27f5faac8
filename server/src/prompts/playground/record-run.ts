/** Records a playground run as an ordinary trace. */
import { trace } from '../../ingest/monitor/trace.ts'
import type { Run } from './run.ts'

interface Result {
  readonly text: string
  readonly toolCalls: readonly object[]
  readonly startedAt: number
  readonly durationMs: number
  /** Null if the provider does not report it. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null
  readonly cost: number | null
}

/** Returns the id of the trace. */
export async function recordRun(run: Run, result: Result): Promise<string> {
  const { input, context, provider, model, promptMessages, version } = run
  const { text, toolCalls, startedAt, durationMs, usage, cost } = result
  const startTime = new Date(startedAt).toISOString()
  const endTime = new Date(startedAt + durationMs).toISOString()
  const variables = Object.entries(input.variables ?? {}).map(([label, value]) => ({ label, value }))
  const output =
    toolCalls.length === 0 ? text : { role: 'assistant', content: text, toolCalls: [...toolCalls] }
  const recorded = {
    name: 'playground',
    ...(input.featureSlug == null ? {} : { featureSlug: input.featureSlug }),
    input: [...promptMessages],
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
        input: [...promptMessages],
        output,
        ...(usage === null ? {} : { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
        ...(cost === null ? {} : { cost }),
        metadata: { model, provider },
        ...(variables.length > 0 && { variables }),
        ...(input.prompt == null || version === undefined
          ? {}
          : { prompt: { slug: input.prompt.slug, version } }),
      },
    ],
  }
  const body = Buffer.from(JSON.stringify(recorded))
  const response = await trace(recorded, { ...context, body, claimedIds: undefined })
  // Safe: the verb of `monitor.trace` returns a plain object.
  return (response as { trace: { id: string } }).trace.id
}
