import { type operations, ServiceError } from '@plumbline/contract'
import type { VersionSums } from '@plumbline/storage/traces'
import { microsOf } from '../../json/timestamp.ts'
import type { Verb } from '../../requests/verb.ts'
import { readInstant } from '../../traces/filters.ts'
import { callMeasures, scoreMeasures } from './compare-measures.ts'

/** Metrics of both versions, from the traces that started while the rollout ran. */
export const compare: Verb<typeof operations.rollouts.compare> = async ({ id, from }, { workspace, now }) => {
  const rollout = await workspace.rollouts.find(id)
  if (rollout === undefined) throw new ServiceError('rollout_not_found', { id })
  const { promptSlug: slug, baselineVersion, candidateVersion, createdAt, endedAt = now } = rollout
  const beganUs = microsOf(createdAt)
  const requestedUs = readInstant(from, 'from') ?? beganUs
  const use = { slug, fromUs: requestedUs > beganUs ? requestedUs : beganUs, toUs: microsOf(endedAt) }
  const versions = [baselineVersion, candidateVersion]
  const [sums, scores] = await Promise.all([
    workspace.traces.versionSums(use, versions),
    workspace.traces.versionScores(use, versions),
  ])
  const findSums = (version: string) => sums.find((each) => each.version === version)
  const [baseline, candidate] = [findSums(baselineVersion), findSums(candidateVersion)]
  return {
    from: new Date(Number(use.fromUs / 1000n)).toISOString(),
    to: endedAt.toISOString(),
    baseline: variantOf(baselineVersion, baseline),
    candidate: variantOf(candidateVersion, candidate),
    measures: [
      ...callMeasures(baseline, candidate),
      ...scoreMeasures(scores, baselineVersion, candidateVersion),
    ],
  }
}

const variantOf = (version: string, sums: VersionSums | undefined) => ({
  version,
  calls: sums?.calls ?? 0,
  traces: sums?.traces ?? 0,
  users: sums?.users ?? 0,
  p50DurationMs: sums?.p50DurationMs ?? null,
  p95DurationMs: sums?.p95DurationMs ?? null,
})
