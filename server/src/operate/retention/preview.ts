import type { operations } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import { responseCutoff } from '../../requests/response-retention.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type UnreferencedFile, unreferencedFiles } from './expire-rest.ts'
import { changedRules, cutoffOf, evaluationCutoffs, expiredSelections, olderThan } from './rules.ts'
import { checkRules } from './update.ts'

/** Round ages to show. */
const ages = [1, 7, 30, 90, 180, 365]

export const makePreview =
  (traceStore: Pick<TraceStore, 'countSelection'>): Verb<typeof operations.retention.preview> =>
  async (input, { workspace, now }) => {
    checkRules(input)
    await workspace.settle()
    await workspace.flushLedger()
    const rules = changedRules(await workspace.retention.find(), input)
    const counts = { traces: 0, logs: 0, scores: 0 }
    for (const selection of expiredSelections(rules, workspace.id, now)) {
      const expired = await traceStore.countSelection(selection)
      counts.traces += expired.traces
      counts.logs += expired.logs
      counts.scores += expired.scores
    }
    const files = await unreferencedFiles(workspace, now)
    return {
      ...counts,
      ...(await countRecords(workspace, files, {
        samples: cutoffOf(rules.ledgerSampleDays, now),
        files: cutoffOf(rules.fileDays, now),
        evaluations: evaluationCutoffs(rules, now),
        requests: responseCutoff(rules, now),
      })),
      ages: await Promise.all(
        ages.map(async (olderThanDays) => {
          const cutoff = cutoffOf(olderThanDays, now)!
          const { traces } = await traceStore.countSelection(olderThan(workspace.id, cutoff))
          const evaluations = { endedCutoff: cutoff, failedCutoff: cutoff }
          const cutoffs = { samples: cutoff, files: cutoff, evaluations, requests: cutoff }
          return { olderThanDays, traces, ...(await countRecords(workspace, files, cutoffs)) }
        }),
      ),
    }
  }

/** Cutoffs before which data counts; without a cutoff, none does. */
interface Cutoffs {
  readonly samples: Date | undefined
  readonly files: Date | undefined
  readonly evaluations: { readonly endedCutoff: Date; readonly failedCutoff: Date }
  readonly requests: Date
}

async function countRecords(
  { retention }: Pick<Workspace, 'retention'>,
  files: readonly UnreferencedFile[],
  cutoffs: Cutoffs,
) {
  const { samples, files: filesBefore } = cutoffs
  return {
    ledgerSamples: samples === undefined ? 0 : await retention.countLedgerSamples(samples),
    files: filesBefore === undefined ? 0 : files.filter(({ createdAt }) => createdAt < filesBefore).length,
    evaluations: await retention.countEvaluations(cutoffs.evaluations),
    idempotentRequests: await retention.countRequests(cutoffs.requests),
  }
}
