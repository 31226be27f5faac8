/** Accepts an export: reads it, resolves its references and makes it durable before acknowledging it. */
import { evaluatorReferencesMax, ServiceError } from '@plumbline/contract'
import { versionOfNumber } from '@plumbline/contract/langfuse-prompts'
import { newId } from '../../../id.ts'
import { TimeSlice } from '../../../json/time-slice.ts'
import type { Caller } from '../../../requests/verb.ts'
import { findPromptByName } from '../../../workspace/find-prompt-by-name.ts'
import type { WorkspaceCache } from '../../../workspace/workspace-cache.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Recorder } from '../../monitor/recorder.ts'
import { resolveFeature, resolvePrompt } from '../../monitor/resolve.ts'
import { type References, referencesOf } from '../references.ts'
import type { ResolvedReferences } from '../span.ts'
import type { PartialSuccess, Signal } from './protobuf.ts'
import {
  type Encoding,
  MalformedExport,
  parseLargeExport,
  readLogRecords,
  readSpanHeads,
  type SpanHead,
} from './read-export.ts'

export interface Export {
  readonly signal: Signal
  readonly encoding: Encoding
  /** The decompressed body. */
  readonly body: Buffer
  readonly caller: Caller
  readonly receivedAt: Date
}

/** The API key that recorded it, and its workspace. */
type Recording = Pick<Caller, 'id' | 'workspaceId'>

/** The parts of the caller's workspace that accepting an export uses. */
export interface AcceptDeps {
  readonly cache: WorkspaceCache
  readonly recorder: Recorder
  readonly ledger: Ledger
}

const fullSuccess: PartialSuccess = { rejected: 0, message: '' }
/** Limits the sentences in one response, which clients only print. */
const sentencesMax = 5

/** Accepts an export; throws `invalid_request` if it is malformed, and `unavailable` if it cannot be stored now. */
export async function acceptExport(input: Export, deps: AcceptDeps): Promise<PartialSuccess> {
  // Metrics are accepted and dropped: exporters would retry rejected ones forever.
  if (input.signal === 'metrics') return fullSuccess
  return input.signal === 'traces' ? acceptSpans(input, deps) : acceptLogRecords(input, deps)
}

async function acceptSpans(input: Export, deps: AcceptDeps): Promise<PartialSuccess> {
  const { rejected, warnings } = await recordSpans(input, deps)
  return toPartialSuccess(input, deps, rejected, warnings)
}

/** Records spans from any source; returns the number of rejected spans and a warning for each unknown reference. */
export async function recordSpans(
  input: Omit<Export, 'caller'> & { readonly caller: Recording },
  deps: Pick<AcceptDeps, 'cache' | 'recorder'>,
): Promise<{ rejected: number; warnings: string[] }> {
  const { parts, rejected, problem } = await rejectMalformed(async () =>
    readSpanHeads(input.body, input.encoding, await parseLargeExport(input.body, input.encoding)),
  )
  const references = await resolveReferences(parts, deps.cache)
  if (parts.length > 0) await append(input, deps, references, parts)
  return { rejected, warnings: [...(problem === '' ? [] : [problem]), ...references.warnings] }
}

async function acceptLogRecords(input: Export, deps: AcceptDeps): Promise<PartialSuccess> {
  const { parts, rejected, problem } = await rejectMalformed(async () =>
    readLogRecords(input.body, input.encoding, await parseLargeExport(input.body, input.encoding)),
  )
  if (parts.length > 0) await append(input, deps, { resolved: [], indexes: [] }, parts)
  return toPartialSuccess(input, deps, rejected, problem === '' ? [] : [problem])
}

function toPartialSuccess(
  { caller, receivedAt }: Export,
  { ledger }: AcceptDeps,
  rejectedCount: number,
  warnings: string[],
): PartialSuccess {
  if (rejectedCount > 0)
    ledger.addRefused(caller, 'invalid_request', Buffer.from(warnings[0] ?? ''), receivedAt, rejectedCount)
  const omittedCount = warnings.length - sentencesMax
  const message = [
    ...warnings.slice(0, sentencesMax),
    ...(omittedCount > 0 ? [`And ${omittedCount} more.`] : []),
  ].join(' ')
  return { rejected: rejectedCount, message }
}

async function append(
  { signal, encoding, body, caller, receivedAt }: Omit<Export, 'caller'> & { readonly caller: Recording },
  { recorder }: Pick<AcceptDeps, 'recorder'>,
  { resolved, indexes }: Pick<ExportReferences, 'resolved' | 'indexes'>,
  parts: readonly { readonly traceId: string }[],
): Promise<void> {
  await recorder.append(
    {
      type: 'spans',
      recordId: newId(receivedAt),
      workspaceId: caller.workspaceId,
      apiKeyId: caller.id,
      receivedAtMs: receivedAt.getTime(),
      signal: signal === 'logs' ? 'logs' : 'traces',
      encoding,
      resolved,
      resolvedOf: indexes,
    },
    body,
    new Set(parts.map(({ traceId }) => traceId)),
  )
}

async function rejectMalformed<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof MalformedExport)) throw error
    throw new ServiceError('invalid_request', { path: '', problem: error.message }, { cause: error })
  }
}

interface ExportReferences {
  /** Each distinct resolution once. */
  readonly resolved: ResolvedReferences[]
  /** Index into `resolved` by position of the span. Most spans have no references and are absent. */
  readonly indexes: [position: number, resolved: number][]
  /** One sentence for each unknown reference, without repetitions. */
  readonly warnings: readonly string[]
}

async function resolveReferences(
  spans: readonly SpanHead[],
  cache: WorkspaceCache,
): Promise<ExportReferences> {
  const resolved: ResolvedReferences[] = []
  const indexes: [number, number][] = []
  const counts = new Map<string, number>()
  const slice = new TimeSlice()
  for (let position = 0; position < spans.length; position++) {
    if (slice.isOver) await slice.next()
    const { attributes } = spans[position]!
    const references = attributes && referencesOf({ attributes })
    if (references === undefined) continue
    const key = JSON.stringify(references)
    let index = counts.get(key)
    if (index === undefined) {
      index = resolved.push(await resolve(references, cache)) - 1
      counts.set(key, index)
    }
    indexes.push([position, index])
  }
  return { resolved, indexes, warnings: [...new Set(resolved.flatMap(({ warnings }) => warnings))] }
}

async function resolve(references: References, cache: WorkspaceCache): Promise<ResolvedReferences> {
  const warnings: string[] = []
  const featureSlug = await findFeature(references, cache, warnings)
  const { experimentId } = references
  const isExperiment = experimentId !== undefined && (await cache.hasExperiment(experimentId))
  if (experimentId !== undefined && !isExperiment)
    warnings.push(`No experiment has the id "${experimentId}"; the trace is stored without it.`)
  const prompt =
    references.prompt &&
    (await resolvePrompt(
      await nameVersion(references.prompt, cache),
      { needsTemplate: references.needsTemplate === true, userId: references.userId },
      cache,
    ))
  if (prompt?.warning !== undefined) warnings.push(prompt.warning)
  const evaluatorRates: Record<string, number> = {}
  const slugs = [...new Set(references.evaluators)]
  if (slugs.length > evaluatorReferencesMax)
    warnings.push(
      `A span names ${slugs.length} evaluators; at most the first ${evaluatorReferencesMax} judge it.`,
    )
  for (const slug of slugs.slice(0, evaluatorReferencesMax)) {
    const rate = (await cache.evaluator(slug))?.sampleRate
    if (rate === undefined) warnings.push(`No evaluator has the slug "${slug}".`)
    else evaluatorRates[slug] = rate
  }
  return {
    featureSlug,
    experimentId: isExperiment ? experimentId : null,
    prompt: prompt?.servedPrompt ?? null,
    evaluatorRates,
    warnings,
  }
}

/** Replaces Langfuse's name and number in a reference by our slug and version. */
async function nameVersion(
  { name, ...reference }: NonNullable<References['prompt']>,
  cache: WorkspaceCache,
): Promise<NonNullable<References['prompt']>> {
  if (name === undefined) return reference
  const prompt = await findPromptByName(name, cache)
  const version = prompt && versionOfNumber(prompt.versions, Number(reference.version))
  return {
    slug: prompt?.slug ?? reference.slug,
    ...(reference.version === undefined ? {} : { version: version?.version ?? reference.version }),
  }
}

async function findFeature(
  { featureSlug }: References,
  cache: WorkspaceCache,
  warnings: string[],
): Promise<string | null> {
  try {
    return await resolveFeature({ featureSlug }, cache)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'feature_not_found') throw error
    warnings.push(`No feature has the slug "${featureSlug}"; the trace is stored without it.`)
    return null
  }
}
