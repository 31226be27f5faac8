import type { operations } from '@plumbline/contract'
import type { TraceStore } from '@plumbline/storage/traces'
import type { RefusedRecords } from '../../ingest/monitor/refused-records.ts'
import type { Verb } from '../../requests/verb.ts'
import { findAllOfSubject } from './find-rows.ts'
import { countReferences } from './references.ts'
import { findSubject, readSubject } from './subject.ts'

export const makePreview =
  (traceStore: TraceStore, refusedRecords: RefusedRecords): Verb<typeof operations.erasures.preview> =>
  async (input, { workspace, now }) => {
    const subject = await findSubject(readSubject(input), workspace)
    await workspace.settle()
    await workspace.flushLedger()
    const untilMs = now.getTime()
    const { rows, selections } = await findAllOfSubject({ workspace, traceStore, subject }, untilMs)
    const counts = { traces: 0, logs: 0, scores: 0 }
    for (const selection of selections) {
      const selected = await traceStore.countSelection(selection)
      counts.traces += selected.traces
      counts.logs += selected.logs
      counts.scores += selected.scores
    }
    const { mentions } = await traceStore.subjectRows(workspace.id, subject, untilMs)
    const search = { workspace, traceStore, refusedRecords, subject, selections, rows, until: now, now }
    const references = await countReferences(search)
    const scoresGiven =
      subject.type === 'user'
        ? await traceStore.countScoresOfUser(workspace.id, { userIds: subject.ids, untilMs })
        : 0
    return { found: { ...counts, scoresGiven, ...references }, mentions }
  }
