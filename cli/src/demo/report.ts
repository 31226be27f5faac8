/** What the demo says in the end: what it made, and how to look at it. */
import type { Client } from './client.ts'
import type { Filled } from './fill-workspace.ts'

/** What was made and what was there, and what the service warned of. */
export function describeMade({
  made,
  keptTraces,
  traces,
  scores,
  warnings,
  expectedWarnings,
}: Filled): string {
  const lines = [...made, ['traces', { made: traces, kept: keptTraces }] as const].map(
    ([kind, counts]) =>
      `  ${kind.padEnd(16)} ${String(counts.made).padStart(9)} made${counts.kept === 0 ? '' : `, ${counts.kept} there already`}`,
  )
  lines.push(`  ${'scores'.padEnd(16)} ${String(scores).padStart(9)} made`)
  if (expectedWarnings > 0)
    lines.push(`  The service warned of ${expectedWarnings} odd traces, as it should.`)
  if (warnings.size > 0) lines.push('  The service warned of what should be right:')
  for (const [sentence, times] of warnings) lines.push(`    ${times} × ${sentence}`)
  return lines.join('\n')
}

/** What the service itself says is in the workspace now. */
export async function describeTotals(client: Client): Promise<string> {
  const { rows } = await client.metrics.query({ measures: 'traces,logs,errors,users,cost,scores' })
  const { traces, logs, errors, users, cost, scores } = rows[0] ?? {}
  return `  In the workspace now: ${traces} traces, ${logs} logs, ${errors} errors, ${users} users, ${scores} scores, $${Number(cost).toFixed(2)}.`
}

/** Lines to paste. */
export const describeLook = (): string =>
  [
    '  Look:',
    '',
    '    plumbline traces list --failed',
    '    plumbline prompts list',
    '    plumbline datasets list',
  ].join('\n')
