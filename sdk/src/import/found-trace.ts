/** Builds traces for the service from the data that all systems export. */
import { contentOf, instantOf, isRecord, withoutUndefined } from './read-value.ts'
import type { FoundScore, FoundTrace, JsonRecord, Log, Trace } from './shapes.ts'

/** The data of a log. */
export interface LogParts {
  readonly id: string
  readonly parentId?: string | undefined
  readonly type: Log['type']
  readonly name?: string | undefined
  readonly startTime: unknown
  readonly endTime?: unknown
  readonly input?: unknown
  readonly output?: unknown
  /** Metadata of the application; a value that is not an object is kept under its own name. */
  readonly metadata?: unknown
  readonly error?: string | undefined
  /** Fields without a counterpart, kept under the name of the source. */
  readonly otherFields?: JsonRecord | undefined
  readonly generation?: GenerationParts | undefined
}

interface GenerationParts {
  readonly model?: string | undefined
  readonly provider?: string | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly cacheReadTokens?: number | undefined
  readonly reasoningTokens?: number | undefined
  readonly cost?: number | undefined
  readonly timeToFirstTokenMs?: number | undefined
  readonly prompt?: { readonly slug: string; readonly version?: string } | undefined
}

export function makeLog(source: string, parts: LogParts): Log {
  const { generation, error, otherFields } = parts
  const metadata = {
    ...ownMetadata(parts.metadata),
    ...withoutUndefined({
      model: generation?.model,
      provider: generation?.provider,
      usage: toUsage(generation),
    }),
    ...withoutUndefined({ error, [source]: otherFields }),
  }
  const common = withoutUndefined({
    id: parts.id,
    parentId: parts.parentId,
    name: parts.name,
    startTime: instantOf(parts.startTime),
    endTime: instantOf(parts.endTime),
    input: contentOf(parts.input),
    output: contentOf(parts.output),
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
  })
  // Safe: contentOf returns valid inputs and outputs, and only generations have the fields of a generation.
  if (parts.type !== 'generation') return { ...common, type: parts.type } as Log
  const { inputTokens, outputTokens, cost, timeToFirstTokenMs, prompt } = generation ?? {}
  return {
    ...common,
    type: 'generation',
    ...withoutUndefined({ inputTokens, outputTokens, cost, timeToFirstTokenMs, prompt }),
  } as Log
}

/** Token buckets in OpenAI's format, which the service reads. */
function toUsage({ cacheReadTokens, reasoningTokens }: GenerationParts = {}): JsonRecord | undefined {
  if (cacheReadTokens === undefined && reasoningTokens === undefined) return undefined
  return withoutUndefined({
    prompt_tokens_details: cacheReadTokens === undefined ? undefined : { cached_tokens: cacheReadTokens },
    completion_tokens_details:
      reasoningTokens === undefined ? undefined : { reasoning_tokens: reasoningTokens },
  })
}

const ownMetadata = (metadata: unknown): JsonRecord =>
  metadata == null ? {} : isRecord(metadata) ? metadata : { metadata }

/** The data of a trace. */
export interface TraceParts {
  readonly id: string
  readonly name?: string | undefined
  readonly startTime?: unknown
  readonly endTime?: unknown
  readonly input?: unknown
  readonly output?: unknown
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  readonly environment?: string | undefined
  readonly release?: string | undefined
  readonly tags?: readonly unknown[] | undefined
  readonly metadata?: unknown
  readonly otherFields?: JsonRecord | undefined
  readonly logs: readonly Log[]
  readonly scores?: readonly FoundScore[]
  readonly warnings?: readonly string[]
}

/** Metadata keys that identify an imported trace. */
export const importedFrom = 'import.source'
export const importedId = 'import.id'

export function makeTrace(source: string, parts: TraceParts): FoundTrace {
  const { id, userId, tags = [], logs } = parts
  const { logs: unique, warnings } = removeDuplicates(logs)
  const trace = withoutUndefined({
    name: parts.name,
    startTime: instantOf(parts.startTime),
    endTime: instantOf(parts.endTime),
    input: contentOf(parts.input),
    output: contentOf(parts.output),
    user: userId === undefined ? undefined : { id: userId, name: userId },
    sessionId: parts.sessionId,
    environment: parts.environment,
    release: parts.release,
    tags: tags.length === 0 ? undefined : tags.map(String),
    metadata: {
      ...ownMetadata(parts.metadata),
      [importedFrom]: source,
      [importedId]: id,
      ...withoutUndefined({ [source]: parts.otherFields }),
    },
    logs: unique,
    // Safe: contentOf returns valid inputs and outputs.
  }) as Trace
  return {
    sourceId: id,
    trace,
    scores: parts.scores ?? [],
    warnings: [...(parts.warnings ?? []), ...warnings],
  }
}

/** An export may contain a record twice; the later one is newer. The service reports missing parents. */
function removeDuplicates(logs: readonly Log[]): { logs: Log[]; warnings: string[] } {
  const byId = new Map(logs.map((log) => [log.id, log]))
  const warnings = byId.size === logs.length ? [] : ['Records that came twice were taken once.']
  const startOf = ({ startTime }: Log): number =>
    typeof startTime === 'string' ? Date.parse(startTime) : (startTime ?? 0)
  return { logs: [...byId.values()].toSorted((a, b) => startOf(a) - startOf(b)), warnings }
}
