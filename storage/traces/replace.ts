/**
 * Traces that are assembled again take the place of what is stored of them, in an order that can be cut short anywhere
 * and run once more: the new rows are added, the hourly sums are given the difference, the old rows are deleted. Each
 * insert has a token of the revision, so that it happens once; a delete that happens twice deletes nothing more.
 * Until the last step both are there, and readers take the higher revision.
 */
import type { Clients } from './clients.ts'
import { addSums, logsHourly, tracesHourly } from './hourly-sums.ts'
import { insertBatch } from './insert.ts'
import type { InsertBatch, InsertResult } from './store.ts'
import { at, type TraceKey, workspacesOf } from './trace-keys.ts'

export type Replacement = Omit<InsertBatch, 'token'> & {
  /** Higher than every revision before. */
  readonly revision: number
  /** Every place where rows of these traces lie, or will: with this revision, and with lower ones. */
  readonly keys: readonly TraceKey[]
  /** Whether there can be rows with a lower revision. */
  readonly replaces: boolean
}

const keysPerDelete = 1000

/** Stores the new rows, counts the difference, and deletes the old rows. */
export async function replaceTraces(clients: Clients, replacement: Replacement): Promise<InsertResult> {
  const { revision, traces, logs, scores, keys } = replacement
  const token = `assembly ${revision}`
  const result = await insertBatch(clients, { token, traces, logs, scores })
  if (keys.length === 0) return result
  for (const [table, columns] of [
    ['traces', tracesHourly],
    ['logs', logsHourly],
  ] as const)
    await addSums(clients, {
      table,
      columns,
      // Every row of them, or of what was there before.
      rows: `FROM ${table} AS t WHERE ${at(table, keys)} AND revision <= ${revision}`,
      sign: `if(revision = ${revision}, 1, -1)`,
      workspaces: workspacesOf(keys),
      token,
    })
  if (replacement.replaces) {
    // What lists show goes first: a log without its trace is nowhere, a trace without its logs would be wrong.
    for (const table of ['traces', 'logs'] as const)
      for (let start = 0; start < keys.length; start += keysPerDelete)
        await clients.command(
          `DELETE FROM ${table} WHERE ${at(table, keys.slice(start, start + keysPerDelete))} AND revision < ${revision}
           SETTINGS lightweight_delete_mode = 'lightweight_update_force', lightweight_deletes_sync = 2, enable_lightweight_update = 1`,
          workspacesOf(keys),
        )
  }
  return result
}
