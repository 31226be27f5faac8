/** An export is accepted: read, its references looked up, and durable, before it is acknowledged. */
import { evaluatorReferencesMax, ServiceError } from '@plumbline/contract'
import { newId } from '../id.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Recorder } from '../monitor/recorder.ts'
import { resolveFeature, resolvePrompt } from '../monitor/resolve.ts'
import { TimeSlice } from '../time-slice.ts'
import type { Caller } from '../verb.ts'
import type { WorkspaceCache } from '../workspace-cache.ts'
import type { PartialSuccess, Signal } from './protobuf.ts'
import { type Encoding, MalformedExport, parseLargeExport, readLogRecords, readSpans } from './read-export.ts'
import { type References, referencesOf } from './references.ts'
import type { Resolved, Span } from './span.ts'

export interface Export {
  readonly signal: Signal
  readonly encoding: Encoding
  /** Decompressed. */
  readonly body: Buffer
  readonly caller: Caller
  readonly receivedAt: Date
}

/** Who recorded it. */
type Recording = Pick<Caller, 'id' | 'workspaceId'>

/** What accepting needs of the caller's workspace. */
export interface Means {
  readonly catalogue: WorkspaceCache
  readonly recorder: Recorder
  readonly ledger: Ledger
}

const fullSuccess: PartialSuccess = { rejected: 0, message: '' }
/** Sentences told in one answer; clients only print them. */
const sentencesMax = 5

/** Takes an export; throws `invalid_request` if it is none, and `unavailable` if it cannot be kept now. */
export async function acceptExport(sent: Export, means: Means): Promise<PartialSuccess> {
  // Metrics are taken and dropped: refused ones would only be sent again and again.
  if (sent.signal === 'metrics') return fullSuccess
  return sent.signal === 'traces' ? acceptSpans(sent, means) : acceptLogRecords(sent, means)
}

async function acceptSpans(sent: Export, means: Means): Promise<PartialSuccess> {
  const { rejected, said } = await recordSpans(sent, means)
  return told(sent, means, rejected, said)
}

/** Records spans, whoever has made them; says how many were no spans, and what was unknown. */
export async function recordSpans(
  sent: Omit<Export, 'caller'> & { readonly caller: Recording },
  means: Pick<Means, 'catalogue' | 'recorder'>,
): Promise<{ rejected: number; said: string[] }> {
  const { parts, rejected, problem } = await legal(async () =>
    readSpans(sent.body, sent.encoding, await parseLargeExport(sent.body, sent.encoding)),
  )
  const references = await resolveReferences(parts, means.catalogue)
  if (parts.length > 0) await append(sent, means, references)
  return { rejected, said: [...(problem === '' ? [] : [problem]), ...references.warnings] }
}

async function acceptLogRecords(sent: Export, means: Means): Promise<PartialSuccess> {
  const { parts, rejected, problem } = await legal(async () =>
    readLogRecords(sent.body, sent.encoding, await parseLargeExport(sent.body, sent.encoding)),
  )
  if (parts.length > 0) await append(sent, means, { resolved: [], of: [] })
  return told(sent, means, rejected, problem === '' ? [] : [problem])
}

function told(
  { caller, receivedAt }: Export,
  { ledger }: Means,
  rejected: number,
  said: string[],
): PartialSuccess {
  if (rejected > 0)
    ledger.addRefused(caller, 'invalid_request', Buffer.from(said[0] ?? ''), receivedAt, rejected)
  const left = said.length - sentencesMax
  const message = [...said.slice(0, sentencesMax), ...(left > 0 ? [`And ${left} more.`] : [])].join(' ')
  return { rejected, message }
}

async function append(
  { signal, encoding, body, caller, receivedAt }: Omit<Export, 'caller'> & { readonly caller: Recording },
  { recorder }: Pick<Means, 'recorder'>,
  { resolved, of }: Pick<ResolvedReferences, 'resolved' | 'of'>,
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
      resolvedOf: of,
    },
    body,
  )
}

async function legal<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof MalformedExport)) throw error
    throw new ServiceError('invalid_request', { path: '', problem: error.message }, { cause: error })
  }
}

interface ResolvedReferences {
  /** Each resolution once. */
  readonly resolved: Resolved[]
  /** By the position of the span; most refer to nothing and are not here. */
  readonly of: [position: number, resolved: number][]
  /** What is unknown, a sentence each, each once. */
  readonly warnings: readonly string[]
}

async function resolveReferences(
  spans: readonly Span[],
  catalogue: WorkspaceCache,
): Promise<ResolvedReferences> {
  const resolved: Resolved[] = []
  const of: [number, number][] = []
  const known = new Map<string, number>()
  const slice = new TimeSlice()
  for (let position = 0; position < spans.length; position++) {
    if (slice.isOver) await slice.next()
    const references = referencesOf(spans[position]!)
    if (references === undefined) continue
    const key = JSON.stringify(references)
    let index = known.get(key)
    if (index === undefined) {
      index = resolved.push(await resolve(references, catalogue)) - 1
      known.set(key, index)
    }
    of.push([position, index])
  }
  return { resolved, of, warnings: [...new Set(resolved.flatMap(({ warnings }) => warnings))] }
}

async function resolve(references: References, catalogue: WorkspaceCache): Promise<Resolved> {
  const warnings: string[] = []
  const featureSlug = await findFeature(references, catalogue, warnings)
  const { experimentId } = references
  const isExperiment = experimentId !== undefined && (await catalogue.hasExperiment(experimentId))
  if (experimentId !== undefined && !isExperiment)
    warnings.push(`No experiment has the id "${experimentId}"; the trace is stored without it.`)
  const prompt =
    references.prompt &&
    (await resolvePrompt(references.prompt, { needsTemplate: false, userId: references.userId }, catalogue))
  if (prompt?.warning !== undefined) warnings.push(prompt.warning)
  const evaluatorRates: Record<string, number> = {}
  const slugs = [...new Set(references.evaluators)]
  if (slugs.length > evaluatorReferencesMax)
    warnings.push(
      `A span names ${slugs.length} evaluators; it is judged by the first ${evaluatorReferencesMax} at most.`,
    )
  for (const slug of slugs.slice(0, evaluatorReferencesMax)) {
    const rate = (await catalogue.evaluator(slug))?.sampleRate
    if (rate === undefined) warnings.push(`No evaluator has the slug "${slug}".`)
    else evaluatorRates[slug] = rate
  }
  return {
    featureSlug,
    experimentId: isExperiment ? experimentId : null,
    prompt: prompt?.served ?? null,
    evaluatorRates,
    warnings,
  }
}

async function findFeature(
  { featureSlug }: References,
  catalogue: WorkspaceCache,
  warnings: string[],
): Promise<string | null> {
  try {
    return await resolveFeature({ featureSlug }, catalogue)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'feature_not_found') throw error
    warnings.push(`No feature has the slug "${featureSlug}"; the trace is stored without it.`)
    return null
  }
}
