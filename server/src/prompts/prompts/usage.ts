import { type operations, ServiceError, type VersionUsage } from '@plumbline/contract'
import type { PromptFetches } from '@plumbline/storage/control'
import type { VersionUse } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import { readInstant } from '../../traces/filters.ts'
import { nameField } from '../../workspace/name-field.ts'

const defaultSpanUs = 7n * 86_400_000_000n

/** Which versions are in use: fetches from the control plane, combined with recorded traces from the trace store. */
export const usage: Verb<typeof operations.prompts.usage> = async (
  { slug, from, to },
  { workspace, now },
) => {
  const prompt = await workspace.cache.prompt(slug)
  if (prompt === undefined) throw new ServiceError('prompt_not_found', { slug })
  const toUs = readInstant(to, 'to') ?? BigInt(now.getTime() + 1) * 1000n
  const fromUs = readInstant(from, 'from') ?? toUs - defaultSpanUs
  await workspace.fetchCounts.flush()
  const [fetches, uses] = await Promise.all([
    workspace.promptFetches.list({ promptSlug: slug, from: dateOf(fromUs), to: dateOf(toUs) }),
    workspace.traces.versionUses({ slug, fromUs, toUs }),
  ])
  const names = await workspace.members.names([
    ...new Set([...fetches, ...uses].flatMap(({ apiKeyId }) => apiKeyId ?? [])),
  ])
  const fetched = Map.groupBy(fetches, ({ version }) => version)
  const used = Map.groupBy(uses, ({ version }) => version)
  return {
    versions: prompt.versions
      .filter(({ version, tags }) => tags.length > 0 || fetched.has(version) || used.has(version))
      .map(({ version, tags }) =>
        usageOf({ version, tags: [...tags] }, fetched.get(version) ?? [], used.get(version) ?? [], names),
      ),
  }
}

function usageOf(
  version: Pick<VersionUsage, 'version' | 'tags'>,
  fetches: readonly PromptFetches[],
  uses: readonly VersionUse[],
  names: ReadonlyMap<string, string>,
): VersionUsage {
  const traced = uses.map(({ apiKeyId, traces, firstUs, lastUs }) => ({
    apiKeyId: apiKeyId ?? '',
    count: traces,
    firstAt: dateOf(firstUs),
    lastAt: dateOf(lastUs),
  }))
  const counts = [...fetches, ...traced]
  return {
    ...version,
    fetches: {
      ...sumUse(fetches),
      keys: fetches.map(({ apiKeyId, tag, count, lastAt }) => ({
        apiKeyId,
        ...nameField(names, 'apiKeyName', apiKeyId),
        tag,
        count,
        lastAt: lastAt.toISOString(),
      })),
    },
    traces: {
      ...sumUse(traced),
      keys: traced.map(({ apiKeyId, count, lastAt }) => ({
        apiKeyId,
        ...nameField(names, 'apiKeyName', apiKeyId),
        count,
        lastAt: lastAt.toISOString(),
      })),
    },
    firstSeenAt:
      counts.length === 0
        ? null
        : isoOf(
            counts.reduce(
              (first, { firstAt }) => Math.min(first, firstAt.getTime()),
              Number.POSITIVE_INFINITY,
            ),
          ),
    lastSeenAt: sumUse(counts).lastAt,
  }
}

const sumUse = (counts: readonly { readonly count: number; readonly lastAt: Date }[]) => ({
  count: counts.reduce((sum, { count }) => sum + count, 0),
  lastAt:
    counts.length === 0
      ? null
      : isoOf(counts.reduce((last, { lastAt }) => Math.max(last, lastAt.getTime()), 0)),
})

const isoOf = (ms: number): string => new Date(ms).toISOString()
const dateOf = (micros: bigint): Date => new Date(Number(micros / 1000n))
