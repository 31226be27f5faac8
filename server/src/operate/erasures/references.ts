/**
 * The places outside the trace store that refer to a subject. Each removes its references, or counts them for a preview or a
 * check.
 */
import { findUuids } from '@plumbline/contract/uuids'
import type { RemovalMode } from '@plumbline/storage/control'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { DataSubject, TraceSelection, TraceStore } from '@plumbline/storage/traces'
import { readFileKey } from '../../datasets/files/file-key.ts'
import { removeFile } from '../../datasets/files/remove-file.ts'
import type { RefusedRecord, RefusedRecords } from '../../ingest/monitor/refused-records.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { FoundRows } from '../deletions/progress.ts'
import { referencedKeys, tracesOfSubject } from './find-rows.ts'
import { makeSubjectTexts, type SubjectTexts } from './names-subject.ts'

export interface ReferenceSearch {
  readonly workspace: Workspace
  readonly traceStore: Pick<TraceStore, 'matchingIds'>
  readonly refusedRecords: RefusedRecords
  readonly subject: DataSubject
  readonly selections: readonly TraceSelection[]
  /** Newer references are kept. */
  readonly until: Date
  readonly rows: FoundRows
  readonly mode: RemovalMode
  readonly now: Date
}

type Place = (search: ReferenceSearch, texts: SubjectTexts) => Promise<number>

/** In the order of removal: dataset rows determine which responses and files belong to the subject. */
export const places: readonly (readonly [name: string, remove: Place])[] = [
  ['idempotentRequests', removeRequests],
  ['jobs', removeJobs],
  [
    'ledgerSamples',
    ({ workspace, until, mode }, texts) =>
      workspace.subjectReferences.removeLedgerSamples({
        // If a sample was truncated, it cannot be known whether it belongs to the subject, so it is removed.
        isOfSubject: (sample) => Buffer.byteLength(sample) >= sampleBytes || texts.isWordIn(sample),
        until,
        mode,
      }),
  ],
  [
    'refusedRecords',
    ({ refusedRecords, workspace, mode }, texts) =>
      refusedRecords.remove(
        (record) => isOfWorkspace(record, workspace.id) && texts.isWordIn(textOf(record)),
        mode,
      ),
  ],
  [
    'savedViews',
    ({ workspace, mode }, texts) => workspace.subjectReferences.removeViews(texts.isWordIn, mode),
  ],
  [
    'deletions',
    ({ workspace, mode }, texts) => workspace.subjectReferences.forgetSelections(texts.isValueIn, mode),
  ],
  [
    'comments',
    ({ workspace, mode }, texts) => workspace.subjectReferences.removeComments(texts.isWordIn, mode),
  ],
  [
    'dashboards',
    ({ workspace, mode }, texts) => workspace.subjectReferences.removeDashboards(texts.isValueIn, mode),
  ],
  ['alerts', ({ workspace, mode }, texts) => workspace.subjectReferences.removeAlerts(texts.isValueIn, mode)],
  [
    'annotationFeeds',
    ({ workspace, mode }, texts) => workspace.subjectReferences.removeFeeds(texts.isValueIn, mode),
  ],
  [
    'liveRules',
    ({ workspace, mode }, texts) => workspace.subjectReferences.removeLiveRules(texts.isValueIn, mode),
  ],
  ['auditStates', removeAuditStates],
  [
    'runRows',
    ({ workspace, rows, mode, now }) =>
      mode === 'count'
        ? Promise.resolve(rows.runRows.length)
        : workspace.subjectReferences.emptyRunRows(rows.runRows, now),
  ],
  [
    'datasetRows',
    ({ workspace, rows, mode }) =>
      mode === 'count'
        ? Promise.resolve(rows.datasetRows.length)
        : workspace.subjectReferences.removeDatasetRows(rows.datasetRows),
  ],
  [
    'datasetVersionRows',
    ({ workspace, rows: { pastRows = [] }, mode }) =>
      mode === 'count'
        ? Promise.resolve(pastRows.length)
        : workspace.subjectReferences.removePastRows(pastRows),
  ],
  ['files', removeFiles],
]

/** The size of the samples of rejected bodies in the ledger, minus a character that was cut. */
const sampleBytes = 990

/** The number of references in each place. */
export async function countReferences(
  search: Omit<ReferenceSearch, 'mode'>,
): Promise<Record<string, number>> {
  const texts = makeSubjectTexts(search.subject.ids)
  const counting = { ...search, mode: 'count' as const }
  const counts: Record<string, number> = {}
  for (const [name, remove] of places) counts[name] = await remove(counting, texts)
  return counts
}

async function removeRequests(search: ReferenceSearch, texts: SubjectTexts): Promise<number> {
  const { workspace, rows, mode } = search
  const rowIds = new Set(rows.datasetRows.map(({ id }) => id))
  let removed = 0
  for await (const requests of workspace.subjectReferences.examineRequests()) {
    const ofSubject = await tracesOfSubject(
      search,
      requests.map(({ traceId }) => traceId),
    )
    const selected = requests.filter(
      ({ key, traceId, response }) =>
        texts.isWordIn(key) ||
        (traceId !== undefined && ofSubject.has(traceId)) ||
        texts.isValueIn(response) ||
        findUuids(response).some((id) => rowIds.has(id)),
    )
    removed += selected.length
    if (mode === 'remove' && selected.length > 0) await workspace.subjectReferences.removeRequests(selected)
  }
  return removed
}

/** Kinds of jobs whose payload contains data from applications, as long as finished jobs are kept. */
const kindsWithTexts = ['langfuse.score', 'session.judge']

/** Scores that wait for a trace of the subject, or have found it, are removed like the trace. */
async function removeJobs(search: ReferenceSearch, texts: SubjectTexts): Promise<number> {
  const { subjectReferences } = search.workspace
  let removed = 0
  for await (const jobs of subjectReferences.examineJobs(kindsWithTexts)) {
    const payloads = jobs.map(({ payload }) => textsIn(parseJsonText(payload)))
    const traceIds = payloads.map((values) => values.find((value) => otelTraceId.test(value)))
    const ofSubject = await tracesOfSubject(search, traceIds)
    const ids = jobs
      .filter((_, index) => ofSubject.has(traceIds[index] ?? '') || payloads[index]?.some(texts.isWordIn))
      .map(({ id }) => id)
    removed += ids.length
    if (search.mode === 'remove' && ids.length > 0) await subjectReferences.removeJobs(ids)
  }
  return removed
}

const otelTraceId = /^[0-9a-f]{32}$/

/** Resources whose names or descriptions, written by users, are in the audit log. */
const shownResources = ['alerts', 'annotationQueues', 'dashboards', 'evaluators', 'views']
/**
 * Other fields, such as measures and scopes, name nobody: an id that happens to equal one of their values must not empty the
 * log.
 */
const shownTexts = ['name', 'note', 'description', 'instructions', 'liveRule']

/** Removes the settings from the entries, and keeps the entries. */
async function removeAuditStates(
  { workspace, mode }: ReferenceSearch,
  { isWordIn }: SubjectTexts,
): Promise<number> {
  const { subjectReferences } = workspace
  let removed = 0
  for await (const entries of subjectReferences.examineAuditStates(shownResources)) {
    const ids = entries
      .filter(({ states }) => states.some((state) => shownTextsIn(state).some(isWordIn)))
      .map(({ entryId }) => entryId)
    removed += ids.length
    if (mode === 'remove' && ids.length > 0) await subjectReferences.removeAuditStates(ids)
  }
  return removed
}

/** Safe: the logged settings are an object. */
const shownTextsIn = (state: string): string[] =>
  Object.entries(parseJsonText(state) as object)
    .filter(([name]) => shownTexts.includes(name))
    .flatMap(([, value]) => textsIn(value))

/** All strings within a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Files that only the subject's rows refer to. */
async function removeFiles({ workspace, rows, mode }: ReferenceSearch): Promise<number> {
  if (rows.fileKeys.length === 0) return 0
  // In a preview the rows still exist; after their removal, no row refers to the files.
  const referenced = await referencedKeys(workspace, rows)
  let removed = 0
  for (const text of rows.fileKeys) {
    const key = readFileKey(text)
    if (key === undefined || referenced.has(key)) continue
    const isRemoved =
      mode === 'count' ? (await workspace.files.find(key)) !== undefined : await removeFile(workspace, key)
    if (isRemoved) removed += 1
  }
  return removed
}

/** Records whose workspace is unknown are searched too. */
const isOfWorkspace = ({ origin, content, table }: RefusedRecord, workspaceId: string): boolean =>
  origin === undefined
    ? table === 'spool' || content.includes(JSON.stringify(workspaceId))
    : origin.workspaceId === workspaceId

const textOf = ({ table, content }: RefusedRecord): string =>
  table === 'spool' ? Buffer.from(content, 'base64').toString('utf8') : content
