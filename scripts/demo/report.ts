/** What the demo says: how far it is, what it made, and how to look at it. */

import { SingleBar } from 'cli-progress'
import type { Client } from './client.ts'
import type { Filled } from './fill-workspace.ts'
import type { Target } from './target.ts'

/** A bar on a terminal; in a file or a pipe, a line every ten seconds. */
export function showProgress(toRecord: number): { step: () => void; stop: () => void } {
  if (toRecord === 0) return { step: () => {}, stop: () => {} }
  const bar = new SingleBar({
    format: '  {bar} {value} of {total} traces, {duration_formatted}, {eta_formatted} to go',
    barsize: 30,
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 10_000,
    // The last thousand decide; the default, ten, jumps with every pause of the server.
    etaBuffer: 1000,
  })
  bar.start(toRecord, 0)
  return { step: () => bar.increment(), stop: () => bar.stop() }
}

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
export function describeLook({ url, key, dataFolder, isKeyNew }: Target): string {
  const address = dataFolder === undefined ? url : 'http://localhost:4747'
  const ask = (path: string): string => `    curl -s -H "Authorization: Bearer $KEY" "${address}${path}"`
  return [
    ...(isKeyNew
      ? ['  A key of this workspace, with all scopes. It is shown this once:', '', `    ${key}`, '']
      : []),
    ...(dataFolder === undefined
      ? []
      : ['  Start the server and look:', '', `    PLUMBLINE_DATA_DIR='${dataFolder}' npm start`, '']),
    `    KEY=${isKeyNew ? key : 'pl_…'}`,
    ask('/monitor/traces?limit=5&hasError=true'),
    ask('/metrics/query?measures=traces,errors,cost,p95DurationMs&dimensions=feature&granularity=day'),
    ask('/prompts/support-answer/history'),
    ask('/datasets/docs-questions'),
    '',
  ].join('\n')
}
