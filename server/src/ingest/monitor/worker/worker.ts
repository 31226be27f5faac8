/**
 * The recording worker: builds the rows of accepted records in its own thread, so that requests do not wait for token
 * counting and template rendering. Its modules import parts of the contract, since loading all schemas would take longer
 * than loading the rest.
 */
import { readFileSync } from 'node:fs'
import { judgesFeature } from '@plumbline/contract/judge-traces'
import { readSegment } from '@plumbline/storage/spool/read-segment'
import { isSystemError } from '../../../process/system-error.ts'
import { handleTasks, progress } from '../../../process/threads/worker-task.ts'
import { createTemplateCache } from '../../../workspace/template-cache.ts'
import { assemble } from '../../otlp/assembly/assemble.ts'
import { makeOpenTrace } from '../../otlp/assembly/make-open-trace.ts'
import { SegmentSpans } from '../../otlp/assembly/segment-spans.ts'
import { setPriceList } from '../../usage/price-list.ts'
import type { PriceListFile } from '../../usage/price-list-file.ts'
import { judgedReferences, type SampledTrace } from '../judged-references.ts'
import { type AcceptedRecord, decodeRecord } from '../record.ts'
import { makeScoreRow, makeTraceRows } from './make-rows.ts'
import { type SegmentWriters, withSegmentWriters } from './segment-writers.ts'
import type {
  PricedTask,
  RecordRows,
  Result,
  SegmentRows,
  Tally,
  Task,
  UnreadableRecord,
} from './worker-messages.ts'

/** Parsed templates; most records use the same few. */
const templates = createTemplateCache()

/** Records between two yields, so that reads of pending records do not wait for a whole segment. */
const recordsPerSlice = 64

const hourMs = 3_600_000

const buffersIn = (result: Result): Uint8Array[] => {
  if ('tallies' in result) {
    const { traces, logs, scores, spans, whole } = result
    return [
      ...[traces, logs, scores, spans],
      ...(whole === undefined ? [] : [whole.traces, whole.logs, whole.scores]),
    ]
  }
  return 'results' in result ? [result.traces, result.logs] : []
}

handleTasks(perform, {
  // Safe: rows are encoded into buffers that are not shared.
  transferOf: (result) => buffersIn(result).map(({ buffer }) => buffer as ArrayBuffer),
})

let priceList: string | undefined

/** A thread starts with the list of the release, and reads another one when a task first names it. */
function readList(path: string | undefined): void {
  if (path === priceList) return
  // Safe: this process wrote the file after it had checked the list.
  setPriceList(path === undefined ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as PriceListFile))
  priceList = path
}

async function perform(task: PricedTask): Promise<Result> {
  readList(task.priceList)
  switch (task.type) {
    case 'segment':
      return withSegmentWriters((writers) => rowsOfSegment(task, writers))
    case 'record':
      return rowsOfRecord(task)
    case 'assembly':
      return assemble(task, (workspaceId) => ({ overrides: task.overrides[workspaceId] ?? [], templates }))
    case 'open trace': {
      const overridesOf = task.overrides[task.assembly.workspaceId] ?? []
      return makeOpenTrace(task, { overrides: overridesOf, templates })
    }
  }
}

function rowsOfRecord({ record, overrides }: Extract<Task, { type: 'record' }>): RecordRows {
  const { accepted, body } = decodeRecord(Buffer.from(record.buffer, record.byteOffset, record.byteLength))
  const { workspaceId } = accepted
  if (accepted.type === 'spans') return { type: 'spans', workspaceId }
  return accepted.type === 'score'
    ? { type: 'score', workspaceId, score: makeScoreRow(accepted, body) }
    : {
        type: 'trace',
        workspaceId,
        ...makeTraceRows(accepted, body, { overrides: overrides[workspaceId] ?? [], templates }),
      }
}

async function rowsOfSegment(
  {
    source,
    overrides,
    skip,
    workspaceIds,
    makesWholeTraces,
    liveRates,
    listsRecords,
  }: Extract<Task, { type: 'segment' }>,
  writers: SegmentWriters,
): Promise<SegmentRows> {
  const { records, damagedRecords } = readSegment(source)
  const skipped = new Set(skip)
  const inUse = new Set(workspaceIds)
  const blocks = writers.traces
  const spans = new SegmentSpans({ makesWholeTraces, liveRates, writers })
  const rowContextOf = (workspaceId: string) => ({ overrides: overrides[workspaceId] ?? [], templates })
  const tallies = new Map<string, Tally>()
  const sampledTraces: SampledTrace[] = []
  const scoreRevisions: SegmentRows['scoreRevisions'][number][] = []
  const unreadable: UnreadableRecord[] = []
  const recordIds = new Map<string, string[]>()
  for (let position = 0; position < records.length; position++) {
    const { id, payload } = records[position]!
    if (skipped.has(position)) {
      unreadable.push({ position, id, error: 'This record crashed the recording worker.' })
      continue
    }
    Atomics.store(progress, 0, position)
    try {
      const { accepted, body } = decodeRecord(payload)
      if (!inUse.has(accepted.workspaceId)) continue
      if (listsRecords) addRecordId(recordIds, accepted.workspaceId, id)
      if (accepted.type === 'score') {
        const row = makeScoreRow(accepted, body)
        blocks.append({ scores: [row] })
        scoreRevisions.push({
          workspaceId: row.workspaceId,
          traceId: row.traceId,
          scoreId: row.scoreId,
          revision: row.revision,
        })
      } else if (accepted.type === 'spans') {
        tally(tallies, accepted, spans.append(accepted, body))
      } else if (accepted.type !== 'trace' && accepted.type !== 'log') {
        // During a rolling update, a shared spool has records of both versions.
        throw new Error(
          `Only a newer version can read records like ${JSON.stringify(accepted).slice(0, 200)}.`,
        )
      } else {
        const rows = makeTraceRows(accepted, body, rowContextOf(accepted.workspaceId))
        blocks.append({ traces: [rows] })
        if (accepted.featureSlug !== judgesFeature) tally(tallies, accepted)
        for (const judged of judgedReferences(rows, { isGrowing: false, liveRates }))
          sampledTraces.push(judged)
      }
    } catch (error) {
      // The record is not the cause: the segment is retried.
      if (isSystemError(error)) throw error
      unreadable.push({ position, id, error: textOf(error) })
    } finally {
      // Nor is it when another task or a whole trace kills the worker: the assembler finds out which trace.
      Atomics.store(progress, 0, -1)
    }
    const madeTraces = spans.whole?.isReady === true
    if (madeTraces) spans.whole?.makeRows(rowContextOf)
    if (madeTraces || position % recordsPerSlice === recordsPerSlice - 1) await new Promise(setImmediate)
  }
  return {
    ...blocks.take(),
    spans: spans.take(),
    arrivals: spans.arrivals(),
    whole: spans.whole?.take(),
    tallies: [...tallies.values()],
    sampledTraces,
    scoreRevisions,
    unreadable,
    damagedRecords,
    recordIds,
  }
}

function addRecordId(recordIds: Map<string, string[]>, workspaceId: string, id: string): void {
  const ids = recordIds.get(workspaceId)
  if (ids === undefined) recordIds.set(workspaceId, [id])
  else ids.push(id)
}

/** Whether a span's trace is sampled is decided when it is assembled. */
const unsampled = { isSampled: false, sampleRate: null }

function tally(
  tallies: Map<string, Tally>,
  record: Exclude<AcceptedRecord, { type: 'score' }>,
  count = 1,
): void {
  const { workspaceId, apiKeyId, receivedAtMs } = record
  const { isSampled, sampleRate } = record.type === 'spans' ? unsampled : record
  const hour = receivedAtMs - (receivedAtMs % hourMs)
  const key = `${apiKeyId} ${hour}`
  const entry = tallies.get(key) ?? {
    workspaceId,
    apiKeyId,
    hourMs: hour,
    stored: 0,
    sampled: 0,
    sampledOut: 0,
  }
  tallies.set(key, entry)
  entry.stored += count
  if (isSampled) entry.sampled += 1
  else if (sampleRate !== null) entry.sampledOut += 1
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
