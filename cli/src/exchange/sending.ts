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
import { patientFetch } from '../patient-fetch.ts'
import type { Session } from '../session.ts'
import { columnsOf, type SurveyedDataset, spansIn } from './survey.ts'

const problemsShown = 20
const rowsPerRequest = 200
const spansPerRequest = 1000

/** Counts what an import did. */
export class Outcome {
  added = 0
  present = 0
  failed = 0
  readonly problems: string[] = []

  fail(what: string, error: unknown): void {
    this.failed++
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

/** Sends versions from oldest to newest, since the service tags the last one as latest. */
export async function sendPrompts(
  client: Plumbline,
  versions: readonly FoundVersion[],
  outcome: Outcome,
): Promise<void> {
  for (const [slug, promptVersions] of Map.groupBy(versions, (version) => version.slug)) {
    await client.prompts.create({ slug, name: promptVersions[0]!.name }).catch((error: unknown) => {
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
  { name, columns }: SurveyedDataset,
  rows: AsyncIterable<FoundRow>,
  outcome: Outcome,
): Promise<void> {
  const { client } = session
  const importedIds = new Set<string>()
  try {
    await client.datasets.create({ slug, name, columns: columnsOf(columns) })
  } catch (error) {
    if (!isConflict(error)) throw error
    for await (const line of readLines(
      asText(download(session, `/datasets/${slug}/export`, { format: 'jsonl' })),
    )) {
      const { metadata } = JSON.parse(line) as { metadata?: JsonRecord }
      if (typeof metadata?.[importedId] === 'string') importedIds.add(metadata[importedId])
    }
  }
  let batch: Parameters<Plumbline['datasets']['append']>[0]['rows'] = []
  const send = async (): Promise<void> => {
    if (batch.length === 0) return
    await client.datasets.append({ slug, rows: batch }, { idempotencyKey: makeKey(slug, batch) })
    outcome.added += batch.length
    batch = []
  }
  for await (const row of rows) {
    const { values, name: rowName, idealOutput } = row
    // A row without an id is identified by its content.
    const metadata = { [importedId]: makeKey(row), ...row.metadata }
    if (importedIds.has(String(metadata[importedId]))) {
      outcome.present++
      continue
    }
    batch.push({
      values: { ...values },
      name: rowName ?? null,
      idealOutput: idealOutput ?? null,
      metadata,
    })
    if (batch.length === rowsPerRequest) await send()
  }
  await send()
}

/** The service deduplicates spans by their ids. */
export async function sendSpans(
  { url, key, signal }: Session,
  request: JsonRecord,
  outcome: Outcome,
): Promise<void> {
  for (const part of splitRequest(request)) {
    const response = await patientFetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(part),
      signal,
    })
    const body = (await response.json()) as {
      partialSuccess?: { rejectedSpans?: string | number; errorMessage?: string }
      error?: string
      message?: string
    }
    if (!response.ok) throw new RequestFailed(response.status, body.error ?? body.message)
    const rejected = Number(body.partialSuccess?.rejectedSpans ?? 0)
    outcome.added += spansIn(part) - rejected
    if (rejected > 0)
      outcome.fail(`${rejected} spans`, new Error(body.partialSuccess?.errorMessage ?? 'rejected'))
  }
}

/** Splits a request so that each part fits into one body. */
function splitRequest(request: JsonRecord): JsonRecord[] {
  const resources = (request.resourceSpans ?? request.resource_spans) as readonly JsonRecord[]
  if (spansIn(request) <= spansPerRequest) return [{ resourceSpans: resources }]
  return resources.flatMap((resource) => {
    const scopes = (resource.scopeSpans ?? resource.scope_spans ?? []) as readonly JsonRecord[]
    return scopes.flatMap((scope) => {
      const spans = (scope.spans ?? []) as readonly unknown[]
      return Array.from({ length: Math.ceil(spans.length / spansPerRequest) }, (_none, index) => ({
        resourceSpans: [
          {
            ...resource,
            scopeSpans: [
              { ...scope, spans: spans.slice(index * spansPerRequest, (index + 1) * spansPerRequest) },
            ],
          },
        ],
      }))
    })
  })
}
