/** Sends imported data. Idempotency keys derive from ids in the source, so a repeated import adds nothing. */
import { createHash } from 'node:crypto'
import { type Plumbline, RequestFailed } from '@plumbline/sdk'
import {
  type FoundRow,
  type FoundScore,
  type FoundTrace,
  type FoundVersion,
  importedFrom,
  importedId,
  type JsonRecord,
} from '@plumbline/sdk/import'
import { readLines } from '../datasets/formats.ts'
import { asText, download } from '../download.ts'
import type { Session } from '../session.ts'
import { columnsOf, type SurveyedDataset } from './survey.ts'

const problemsShown = 20
const rowsPerRequest = 200
/** Half of the service's limit, since parts are measured before they are assembled. */
export const requestBytesMax = 8 * 2 ** 20

/** Counts what an import did. */
export class Outcome {
  added = 0
  present = 0
  failed = 0
  readonly problems: string[] = []

  fail(what: string, error: unknown, count = 1): void {
    this.failed += count
    if (this.problems.length < problemsShown) this.problems.push(`${what}: ${(error as Error).message}`)
  }
}

const makeKey = (...parts: readonly unknown[]): string =>
  `import ${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`

/** Whether the service rejected this one item; any other error would affect the others too. */
const isRejection = (error: unknown): boolean =>
  error instanceof RequestFailed && [400, 404, 409, 413].includes(error.status)
const isConflict = (error: unknown): boolean => error instanceof RequestFailed && error.status === 409

/** Ids of traces that an earlier import created, by their ids in the source. */
export async function findImported(client: Plumbline, source: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  let cursor: string | undefined
  do {
    const filters = { [`metadata.${importedFrom}`]: source, limit: 1000 }
    const page = await client.traces.list({ ...filters, ...(cursor === undefined ? {} : { cursor }) })
    for (const { id, metadata } of page.traces) {
      const sourceId = metadata?.[importedId]
      if (typeof sourceId === 'string') ids.set(sourceId, id)
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return ids
}

export async function sendTrace(
  client: Plumbline,
  source: string,
  { sourceId, trace, scores }: FoundTrace,
  featureSlug: string | undefined,
  importedIds: ReadonlyMap<string, string>,
  outcome: Outcome,
): Promise<void> {
  try {
    let traceId = importedIds.get(sourceId)
    let existingScores: readonly FoundScore[] = []
    if (traceId === undefined) {
      const input = featureSlug === undefined ? trace : { ...trace, featureSlug }
      const response = await client.monitor.trace(input, {
        idempotencyKey: makeKey(source, 'trace', sourceId),
      })
      traceId = response.trace.id
      outcome.added++
    } else {
      outcome.present++
      // An earlier import may have stopped between a trace and its scores.
      if (scores.length > 0)
        existingScores = (await client.traces.get({ id: traceId })).trace.scores.map(
          ({ logId, ...score }) => ({
            ...score,
            ...(logId === null ? {} : { logId }),
            comment: score.comment ?? '',
          }),
        )
    }
    for (const [index, score] of scores.entries()) {
      const isKnown = existingScores.some(
        ({ name, value, logId }) => name === score.name && value === score.value && logId === score.logId,
      )
      if (isKnown) continue
      const key = makeKey(source, 'score', sourceId, index)
      await client.scores.create({ traceId, ...score }, { idempotencyKey: key })
    }
  } catch (error) {
    if (!isRejection(error)) throw error
    outcome.fail(`Trace ${sourceId}`, error)
  }
}

/** The names that exist in the service, by slug; none for a key that may not read them. */
export async function namesOf(
  list: () => Promise<readonly { readonly slug: string; readonly name: string }[]>,
): Promise<Map<string, string>> {
  try {
    return new Map((await list()).map(({ slug, name }) => [slug, name]))
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 403) return new Map()
    throw error
  }
}

/** Sends versions from oldest to newest, since the service tags the last one as latest. */
export async function sendPrompts(
  client: Plumbline,
  versions: readonly FoundVersion[],
  slugs: ReadonlyMap<string, string>,
  outcome: Outcome,
): Promise<void> {
  for (const [name, promptVersions] of Map.groupBy(versions, (version) => version.name)) {
    const slug = slugs.get(name)!
    await client.prompts.create({ slug, name }).catch((error: unknown) => {
      if (!isConflict(error)) throw error
    })
    const isNumbered = promptVersions.every(({ version }) => /^\d+$/.test(version))
    const inOrder = isNumbered
      ? promptVersions.toSorted((a, other) => Number(a.version) - Number(other.version))
      : promptVersions
    for (const { version, text, systemText, messages, config, model, tags, message } of inOrder) {
      const fields = {
        slug,
        version,
        ...(messages === undefined ? { text, systemText: systemText ?? null } : { messages: [...messages] }),
        config: config ?? null,
        model: model ?? null,
        tags: [...tags],
      }
      try {
        await client.versions.create({ ...fields, message: message ?? null })
        outcome.added++
      } catch (error) {
        if (isConflict(error)) outcome.present++
        else if (isRejection(error)) outcome.fail(`Version ${version} of ${slug}`, error)
        else throw error
      }
    }
  }
}

export async function sendRows(
  session: Session,
  slug: string,
  dataset: SurveyedDataset,
  rows: AsyncIterable<FoundRow>,
  outcome: Outcome,
): Promise<void> {
  const { client } = session
  const importedIds = await makeDataset(session, slug, dataset, outcome)
  if (importedIds === undefined) return
  const append = async (batch: readonly NewRow[]): Promise<void> => {
    try {
      await client.datasets.append({ slug, rows: [...batch] }, { idempotencyKey: makeKey(slug, batch) })
      outcome.added += batch.length
    } catch (error) {
      if (!isRejection(error)) throw error
      // Only one of them may be at fault, so each is sent alone.
      if (batch.length > 1) for (const row of batch) await append([row])
      else outcome.fail(`Row ${batch[0]?.metadata?.[importedId]} of ${slug}`, error)
    }
  }
  let batch: NewRow[] = []
  let bytes = 0
  for await (const row of rows) {
    const { values, name: rowName, idealOutput } = row
    // A row without an id is identified by its content.
    const metadata = { [importedId]: makeKey(row), ...row.metadata }
    if (importedIds.has(String(metadata[importedId]))) {
      outcome.present++
      continue
    }
    const newRow = {
      values: { ...values },
      name: rowName ?? null,
      idealOutput: idealOutput ?? null,
      metadata,
    }
    const rowBytes = Buffer.byteLength(JSON.stringify(newRow))
    if (batch.length === rowsPerRequest || (batch.length > 0 && bytes + rowBytes > requestBytesMax)) {
      await append(batch)
      batch = []
      bytes = 0
    }
    batch.push(newRow)
    bytes += rowBytes
  }
  if (batch.length > 0) await append(batch)
}

type NewRow = Parameters<Plumbline['datasets']['append']>[0]['rows'][number]

/** The ids of rows that an earlier import added to it; undefined for a dataset that the service rejected. */
async function makeDataset(
  session: Session,
  slug: string,
  { name, rows, columns }: SurveyedDataset,
  outcome: Outcome,
): Promise<ReadonlySet<string> | undefined> {
  const importedIds = new Set<string>()
  try {
    await session.client.datasets.create({ slug, name, columns: columnsOf(columns) })
  } catch (error) {
    if (isConflict(error)) {
      for await (const line of readLines(
        asText(download(session, `/datasets/${slug}/export`, { format: 'jsonl' })),
      )) {
        const { metadata } = JSON.parse(line) as { metadata?: JsonRecord }
        if (typeof metadata?.[importedId] === 'string') importedIds.add(metadata[importedId])
      }
    } else if (isRejection(error)) {
      outcome.fail(`Dataset ${slug}`, error, rows)
      return undefined
    } else throw error
  }
  return importedIds
}
