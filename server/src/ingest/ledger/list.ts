import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { readInstant } from '../../traces/filters.ts'
import { nameField } from '../../workspace/name-field.ts'

const defaultSpanMs = 7 * 24 * 3_600_000

export const list: Verb<typeof operations.ledger.list> = async (
  { apiKeyId, from, to },
  { workspace, now },
) => {
  const fromUs = readInstant(from, 'from')
  const toUs = readInstant(to, 'to')
  await workspace.flushLedger()
  const hours = await workspace.ledger.list({
    from: fromUs === undefined ? new Date(now.getTime() - defaultSpanMs) : dateOf(fromUs),
    to: toUs === undefined ? new Date(now.getTime() + 1) : dateOf(toUs),
    apiKeyId: apiKeyId ?? null,
  })
  const names = await workspace.members.names([...new Set(hours.map((each) => each.apiKeyId))])
  return {
    entries: hours.reverse().map(({ hour, apiKeyId: keyId, rejections, ...counts }) => ({
      hour: hour.toISOString(),
      apiKeyId: keyId,
      ...nameField(names, 'apiKeyName', keyId),
      ...counts,
      reasons: rejections.map(({ lastAt, ...rejection }) => ({ ...rejection, lastAt: lastAt.toISOString() })),
    })),
    pending: workspace.recorder.pendingCount(),
  }
}

const dateOf = (micros: bigint): Date => new Date(Number(micros / 1000n))
