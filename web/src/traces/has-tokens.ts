import type { TraceSummary } from '@plumbline/sdk'

/** Whether a model call was counted: none has 0 tokens in all, so that 0 is a trace without one. */
export const hasTokens = ({
  inputTokens,
  outputTokens,
}: Pick<TraceSummary['totals'], 'inputTokens' | 'outputTokens'>): boolean => inputTokens + outputTokens > 0
