/** Finds rows of datasets and experiment runs that are about the subject of an erasure. */
import { findUuidsV7 } from '@plumbline/contract/uuids'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { DataSubject, TraceSelection, TraceStore } from '@plumbline/storage/traces'
import { readFileKey } from '../../datasets/files/file-key.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Copies, FoundRows } from '../deletions/progress.ts'
import { makeSubjectTexts } from './names-subject.ts'
import { selectionsOfCopies, selectionsOfSubject } from './subject.ts'

export interface RowSearch {
  readonly workspace: Pick<Workspace, 'id' | 'subjectReferences'>
  readonly traceStore: Pick<TraceStore, 'matchingIds'>
  readonly subject: DataSubject
  readonly selections: readonly TraceSelection[]
}

const requestBytesMax = 2_000

/**
 * Rows of the subject and the traces that experiments recorded for them, from which rows may have been made again. `earlier`
 * has the results of the previous pass, whose rows are already deleted.
 */
export async function findCopies(
  search: RowSearch,
  earlier: Copies = { rowIds: [], traceIds: [] },
): Promise<{ rows: FoundRows; copies: Copies }> {
  const { workspace, subject, traceStore } = search
  const { id: workspaceId, subjectReferences } = workspace
  for (let copies = earlier; ; ) {
    const selections = [...search.selections, ...selectionsOfCopies(copies, { workspaceId, subject })]
    const { rows, rowIds: latestIds } = await findRowsAndIds({ ...search, selections })
    const rowIds = [...new Set([...copies.rowIds, ...latestIds])]
    const casesOfRows = await subjectReferences.tracesJoinedForRows(rowIds)
    const selectedIds = await tracesOfSubject({ traceStore, selections }, casesOfRows)
    const otherIds = casesOfRows.filter((id) => !selectedIds.has(id))
    const traceIds = [...new Set([...copies.traceIds, ...otherIds])]
    const hasGrown = rowIds.length > copies.rowIds.length || traceIds.length > copies.traceIds.length
    copies = { rowIds, traceIds }
    if (!hasGrown) return { rows, copies }
  }
}

/** Everything that an erasure requested now would delete: the rows and traces of the subject and of copies. */
export async function findAllOfSubject(
  search: Omit<RowSearch, 'selections'>,
  untilMs: number,
): Promise<{ rows: FoundRows; selections: readonly TraceSelection[] }> {
  const { workspace, subject } = search
  const selections = selectionsOfSubject(subject, { workspaceId: workspace.id, untilMs })
  const { rows, copies } = await findCopies({ ...search, selections })
  const ofCopies = selectionsOfCopies(copies, { workspaceId: workspace.id, subject })
  return { rows, selections: [...selections, ...ofCopies] }
}

/** The rows of the subject. */
export const findRows = async (search: RowSearch): Promise<FoundRows> => (await findRowsAndIds(search)).rows

/** A row belongs to the subject if it was made from one of the subject's traces, or if the id is one of its values. */
async function findRowsAndIds({
  workspace,
  ...search
}: RowSearch): Promise<{ rows: FoundRows; rowIds: ReadonlySet<string> }> {
  const { isValueIn } = makeSubjectTexts(search.subject.ids)
  const references = workspace.subjectReferences
  const datasetRows: { datasetId: string; position: number; id: string }[] = []
  const fileKeys = new Set<string>()
  for await (const rows of references.examineDatasetRows()) {
    const traceIds = rows.map(({ metadata }) => traceIdOf(metadata))
    const ofSubject = await tracesOfSubject(search, traceIds)
    rows.forEach(({ datasetId, position, id, texts }, index) => {
      if (!ofSubject.has(traceIds[index] ?? '') && !texts.some(isValueIn)) return
      datasetRows.push({ datasetId, position, id })
      for (const key of texts.flatMap(fileKeysIn)) fileKeys.add(key)
    })
  }
  const rowIds = new Set(datasetRows.map(({ id }) => id))
  const allRowIds = new Set(rowIds)
  const pastRows: { datasetId: string; position: number; sinceVersion: number }[] = []
  for await (const rows of references.examinePastRows()) {
    const traceIds = rows.map(({ metadata }) => traceIdOf(metadata))
    const ofSubject = await tracesOfSubject(search, traceIds)
    rows.forEach(({ datasetId, position, sinceVersion, id, texts }, index) => {
      if (!ofSubject.has(traceIds[index] ?? '') && !texts.some(isValueIn)) return
      pastRows.push({ datasetId, position, sinceVersion })
      allRowIds.add(id)
      for (const key of texts.flatMap(fileKeysIn)) fileKeys.add(key)
    })
  }
  const runRows: { runId: string; position: number }[] = []
  for await (const rows of references.examineRunRows()) {
    const traceIds = rows.map(({ metadata }) => traceIdOf(metadata))
    const ofSubject = await tracesOfSubject(search, traceIds)
    rows.forEach(({ runId, position, rowId, texts }, index) => {
      if (!rowIds.has(rowId) && !ofSubject.has(traceIds[index] ?? '') && !texts.some(isValueIn)) return
      runRows.push({ runId, position })
      allRowIds.add(rowId)
      for (const key of texts.flatMap(fileKeysIn)) fileKeys.add(key)
    })
  }
  return { rows: { datasetRows, pastRows, runRows, fileKeys: [...fileKeys] }, rowIds: allRowIds }
}

/** Which of these traces belong to the subject. */
export async function tracesOfSubject(
  { traceStore, selections }: Pick<RowSearch, 'traceStore' | 'selections'>,
  traceIds: readonly (string | undefined)[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(traceIds.filter((id) => id !== undefined))]
  const matches = new Set<string>()
  for (const selection of selections)
    for (let start = 0; start < ids.length; start += requestBytesMax)
      for (const id of await traceStore.matchingIds(selection, ids.slice(start, start + requestBytesMax)))
        matches.add(id)
  return matches
}

/** The trace that a row was made from, as `datasets.collect` records it. */
function traceIdOf(metadata: string | undefined): string | undefined {
  if (metadata === undefined) return undefined
  const value: unknown = parseJsonText(metadata)
  const traceId =
    typeof value === 'object' && value !== null && 'traceId' in value ? value.traceId : undefined
  return typeof traceId === 'string' ? traceId.toLowerCase() : undefined
}

/** Strings that have the form of a file key; only the file store knows whether the file exists. */
const fileKeysIn = (text: string): string[] =>
  findUuidsV7(text).filter((key) => readFileKey(key) !== undefined)

/** Keys of files that dataset rows or run rows refer to, except for the excluded rows. */
export async function referencedKeys(
  workspace: Pick<Workspace, 'subjectReferences'>,
  exclusions: Pick<FoundRows, 'datasetRows' | 'pastRows' | 'runRows'> = { datasetRows: [], runRows: [] },
): Promise<Set<string>> {
  const keys = new Set<string>()
  const rowIds = new Set(exclusions.datasetRows.map(({ id }) => id))
  const placeOf = ({ runId, position }: { runId: string; position: number }): string => `${runId}/${position}`
  const runRows = new Set(exclusions.runRows.map(placeOf))
  for await (const rows of workspace.subjectReferences.examineDatasetRows())
    for (const { id, texts } of rows)
      if (!rowIds.has(id)) for (const key of texts.flatMap(fileKeysIn)) keys.add(key)
  const pastPlaceOf = (row: NonNullable<FoundRows['pastRows']>[number]): string =>
    `${row.datasetId}/${row.position}/${row.sinceVersion}`
  const pastRows = new Set((exclusions.pastRows ?? []).map(pastPlaceOf))
  for await (const rows of workspace.subjectReferences.examinePastRows())
    for (const row of rows)
      if (!pastRows.has(pastPlaceOf(row))) for (const key of row.texts.flatMap(fileKeysIn)) keys.add(key)
  for await (const rows of workspace.subjectReferences.examineRunRows())
    for (const row of rows)
      if (!runRows.has(placeOf(row))) for (const key of row.texts.flatMap(fileKeysIn)) keys.add(key)
  return keys
}
