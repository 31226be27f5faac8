import type { operations } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import type { Verb } from '../../requests/verb.ts'
import { unreferencedFiles } from './expire-rest.ts'
import { changedRules, cutoffOf, expiredSelections } from './rules.ts'
import { checkFeatures } from './update.ts'

/** Ages that people think in. */
const ages = [1, 7, 30, 90, 180, 365]

export const makePreview =
  (traceStore: Pick<TraceStore, 'countSelection'>): Verb<typeof operations.retention.preview> =>
  async (input, { workspace, now }) => {
    checkFeatures(input)
    const rules = changedRules(await workspace.retention.find(), input)
    const counts = { traces: 0, logs: 0, scores: 0 }
    for (const selection of expiredSelections(rules, workspace.id, now)) {
      const expired = await traceStore.countSelection(selection)
      counts.traces += expired.traces
      counts.logs += expired.logs
      counts.scores += expired.scores
    }
    const samplesUntil = cutoffOf(rules.ledgerSampleDays, now)
    const samples =
      samplesUntil === undefined
        ? 0
        : await workspace.subjectReferences.removeLedgerSamples({
            isOfSubject: () => true,
            until: samplesUntil,
            mode: 'count',
          })
    const filesUntil = cutoffOf(rules.fileDays, now)
    const files = filesUntil === undefined ? [] : await unreferencedFiles(workspace, filesUntil)
    return {
      ...counts,
      ledgerSamples: samples,
      files: files.length,
      ages: await Promise.all(
        ages.map(async (olderThanDays) => {
          const all = { features: [], isExcept: true }
          const untilMs = cutoffOf(olderThanDays, now)!.getTime() - 1
          const { traces } = await traceStore.countSelection({
            ...{ workspaceId: workspace.id, untilMs, by: 'features' },
            ...all,
          })
          return { olderThanDays, traces }
        }),
      ),
    }
  }
