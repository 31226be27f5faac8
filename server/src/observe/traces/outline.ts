import { type operations, ServiceError, wholeCharactersMax, wholeLogsMax } from '@plumbline/contract'
import type { LogRow } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import { findHead } from '../../traces/outline.ts'
import { toTraceOutline } from '../../traces/view.ts'
import { readBeside } from './read-beside.ts'

/** A trace, with its logs only if they are few and small. */
export const outline: Verb<typeof operations.traces.outline> = async ({ id }, { workspace, caller }) => {
  const head = await findHead(id.toLowerCase(), wholeLogsMax, workspace)
  if (head === undefined) throw new ServiceError('trace_not_found', { id })
  const { trace, logs } = head
  const whole = logs !== undefined && charactersOf(logs) <= wholeCharactersMax ? logs : undefined
  return {
    trace: toTraceOutline({ ...head, logs: whole }, caller.id),
    ...(await readBeside(trace.traceId, logs, workspace)),
  }
}

const charactersOf = (logs: readonly LogRow[]): number =>
  logs
    .flatMap(({ input, output, idealOutput, metadata, variables }) => [
      input,
      output,
      idealOutput,
      metadata,
      variables,
    ])
    .reduce((sum, text) => sum + (text?.length ?? 0), 0)
