/** Sends what was found. Everything has a key made of its id in the source, so that a repeated import adds nothing. */
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

/** What became of it. */
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

export const keyOf = (...parts: readonly unknown[]): string =>
  `import ${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`

/** A refusal of this one thing; anything else would happen to all the others too. */
const isOwnFault = (error: unknown): boolean =>
  error instanceof RequestFailed && [400, 404, 409, 413].includes(error.status)
const isThere = (error: unknown): boolean => error instanceof RequestFailed && error.status === 409

/** Ids here of what an earlier import brought from a source, by their ids there. */
export async function importedBefore(client: Plumbline, source: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let cursor: string | undefined
  do {
    const filters = { [`metadata.${importedFrom}`]: source, limit: 1000 }
    const page = await client.traces.list({ ...filters, ...(cursor === undefined ? {} : { cursor }) })
    for (const { id, metadata } of page.traces) {
      const sourceId = metadata?.[importedId]
      if (typeof sourceId === 'string') found.set(sourceId, id)
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

export async function sendTrace(
  client: Plumbline,
  source: string,
  { sourceId, trace, scores }: FoundTrace,
  featureSlug: string | undefined,
  before: ReadonlyMap<string, string>,
  outcome: Outcome,
): Promise<void> {
  try {
    let traceId = before.get(sourceId)
    let known: readonly FoundScore[] = []
    if (traceId === undefined) {
      const sent = featureSlug === undefined ? trace : { ...trace, featureSlug }
      const answer = await client.monitor.trace(sent, { idempotencyKey: keyOf(source, 'trace', sourceId) })
      traceId = answer.trace.id
      outcome.added++
    } else {
      outcome.present++
      // An import may have ended between a trace and its scores.
      if (scores.length > 0)
        known = (await client.traces.get({ id: traceId })).trace.scores.map(({ logId, ...score }) => ({
          ...score,
          ...(logId === null ? {} : { logId }),
          comment: score.comment ?? '',
        }))
    }
    for (const [at, score] of scores.entries()) {
      const isKnown = known.some(
        ({ name, value, logId }) => name === score.name && value === score.value && logId === score.logId,
      )
      if (isKnown) continue
      const key = keyOf(source, 'score', sourceId, at)
      await client.scores.create({ traceId, ...score }, { idempotencyKey: key })
    }
  } catch (error) {
    if (!isOwnFault(error)) throw error
    outcome.fail(`Trace ${sourceId}`, error)
  }
}

/** Versions are sent from the oldest to the newest, since the service takes the last one for the latest. */
export async function sendPrompts(
  client: Plumbline,
  versions: readonly FoundVersion[],
  outcome: Outcome,
): Promise<void> {
  for (const [slug, of] of Map.groupBy(versions, (version) => version.slug)) {
    await client.prompts.create({ slug, name: of[0]!.name }).catch((error: unknown) => {
      if (!isThere(error)) throw error
    })
    const isNumbered = of.every(({ version }) => /^\d+$/.test(version))
    const inOrder = isNumbered ? of.toSorted((one, other) => Number(one.version) - Number(other.version)) : of
    for (const { version, text, systemText, model, tags, message } of inOrder) {
      const sent = {
        slug,
        version,
        text,
        systemText: systemText ?? null,
        model: model ?? null,
        tags: [...tags],
      }
      try {
        await client.versions.create({ ...sent, message: message ?? null })
        outcome.added++
      } catch (error) {
        if (isThere(error)) outcome.present++
        else if (isOwnFault(error)) outcome.fail(`Version ${version} of ${slug}`, error)
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
  const before = new Set<string>()
  try {
    await client.datasets.create({ slug, name, columns: columnsOf(columns) })
  } catch (error) {
    if (!isThere(error)) throw error
    for await (const line of readLines(
      asText(download(session, `/datasets/${slug}/export`, { format: 'jsonl' })),
    )) {
      const { metadata } = JSON.parse(line) as { metadata?: JsonRecord }
      if (typeof metadata?.[importedId] === 'string') before.add(metadata[importedId])
    }
  }
  let batch: Parameters<Plumbline['datasets']['append']>[0]['rows'] = []
  const send = async (): Promise<void> => {
    if (batch.length === 0) return
    await client.datasets.append({ slug, rows: batch }, { idempotencyKey: keyOf(slug, batch) })
    outcome.added += batch.length
    batch = []
  }
  for await (const row of rows) {
    const { values, name: rowName, idealOutput } = row
    // A row without an id of its own is known again by what it holds.
    const metadata = { [importedId]: keyOf(row), ...row.metadata }
    if (before.has(String(metadata[importedId]))) {
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

/** The service knows spans that come again by their ids. */
export async function sendSpans(
  { url, key, signal }: Session,
  request: JsonRecord,
  outcome: Outcome,
): Promise<void> {
  for (const part of inParts(request)) {
    const response = await patientFetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(part),
      signal,
    })
    const answer = (await response.json()) as {
      partialSuccess?: { rejectedSpans?: string | number; errorMessage?: string }
      error?: string
      message?: string
    }
    if (!response.ok) throw new RequestFailed(response.status, answer.error ?? answer.message)
    const rejected = Number(answer.partialSuccess?.rejectedSpans ?? 0)
    outcome.added += spansIn(part) - rejected
    if (rejected > 0)
      outcome.fail(`${rejected} spans`, new Error(answer.partialSuccess?.errorMessage ?? 'refused'))
  }
}

/** Requests of so many spans as fit into one body. */
function inParts(request: JsonRecord): JsonRecord[] {
  const resources = (request.resourceSpans ?? request.resource_spans) as readonly JsonRecord[]
  if (spansIn(request) <= spansPerRequest) return [{ resourceSpans: resources }]
  return resources.flatMap((resource) => {
    const scopes = (resource.scopeSpans ?? resource.scope_spans ?? []) as readonly JsonRecord[]
    return scopes.flatMap((scope) => {
      const spans = (scope.spans ?? []) as readonly unknown[]
      return Array.from({ length: Math.ceil(spans.length / spansPerRequest) }, (_none, at) => ({
        resourceSpans: [
          {
            ...resource,
            scopeSpans: [{ ...scope, spans: spans.slice(at * spansPerRequest, (at + 1) * spansPerRequest) }],
          },
        ],
      }))
    })
  })
}
