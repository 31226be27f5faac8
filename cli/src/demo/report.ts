/** The closing report of the demo: what it created, and where to look. */
import type { Client } from './client.ts'
import type { FillResult } from './fill-workspace.ts'

/** Counts of what was created and kept, and the warnings of the service. */
export function describeMade({
  setupCounts,
  keptTraces,
  traces,
  scores,
  warnings,
  expectedWarnings,
}: FillResult): string {
  const lines = [...setupCounts, ['traces', { made: traces, alreadyThere: keptTraces }] as const].map(
    ([kind, counts]) =>
      `  ${kind.padEnd(16)} ${String(counts.made).padStart(9)} made${counts.alreadyThere === 0 ? '' : `, ${counts.alreadyThere} there already`}`,
  )
  lines.push(`  ${'scores'.padEnd(16)} ${String(scores).padStart(9)} made`)
  if (expectedWarnings > 0)
    lines.push(`  The service warned about ${expectedWarnings} odd traces, as expected.`)
  if (warnings.size > 0) lines.push('  Unexpected warnings of the service:')
  for (const [sentence, times] of warnings) lines.push(`    ${times} × ${sentence}`)
  return lines.join('\n')
}

/** Totals of the workspace, measured by the service. */
export async function describeTotals(client: Client): Promise<string> {
  const { rows } = await client.metrics.query({ measures: 'traces,logs,errors,users,cost,scores' })
  const { traces, logs, errors, users, cost, scores } = rows[0] ?? {}
  return `  In the workspace now: ${traces} traces, ${logs} logs, ${errors} errors, ${users} users, ${scores} scores, $${Number(cost).toFixed(2)}.`
}

/** Commands to try next. */
export const describeNextSteps = (): string =>
  [
    '  Look:',
    '',
    '    plumbline traces list --failed',
    '    plumbline prompts list',
    '    plumbline datasets list',
  ].join('\n')
