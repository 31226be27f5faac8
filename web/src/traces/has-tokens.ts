import type { TraceSummary } from '@plumbline/sdk'

/** Whether the tokens of a model call were counted: no call has 0 tokens in total, so 0 means a trace without calls. */
export const hasTokens = ({
  inputTokens,
  outputTokens,
}: Pick<TraceSummary['totals'], 'inputTokens' | 'outputTokens'>): boolean => inputTokens + outputTokens > 0
