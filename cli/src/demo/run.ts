/** One generated run of an application: a clock, and the logs so far. */
import type { Log, Trace } from '@plumbline/sdk'
import { render } from '@plumbline/sdk/render'
import type { Calendar } from './calendar.ts'
import { type DemoModel, type ModelName, models } from './material/models.ts'
import { type DemoVersion, servedVersion, taggedVersion } from './material/prompts.ts'
import type { Random } from './random.ts'
import { usageOf } from './usage.ts'

type Value = Trace['input']

interface StepFields {
  readonly input?: Value
  readonly output?: Value
  readonly metadata?: Record<string, unknown>
}

export interface GenerationFields {
  readonly name: string
  /** Slug of the prompt; its version in production unless `version` or `tag` says otherwise. */
  readonly prompt?: string
  readonly version?: DemoVersion
  readonly tag?: string
  /** For a call without a prompt. */
  readonly model?: ModelName
  /** `rendered`: the rendered prompt. Absent if the service renders it. */
  readonly messages?: 'rendered' | { role: string; content: unknown }[]
  readonly variables?: Readonly<Record<string, unknown>>
  readonly output: Value
  readonly idealOutput?: string
  readonly metadata?: Record<string, unknown>
  readonly isStreamed?: boolean
  readonly reasoningTokens?: number
  /** Fraction of the input that came from the provider's cache. */
  readonly cached?: number
  /** Whether the service counts the tokens. */
  readonly isUncounted?: boolean
}

export interface Run {
  readonly random: Random
  readonly logs: Log[]
  readonly startTime: string
  /** Start of the run, as a fraction of the calendar. */
  readonly progress: number
  /** The clock of the run, ISO 8601. */
  time(): string
  /** A log without children. */
  step(type: Exclude<Log['type'], 'generation'>, name: string, medianMs: number, fields?: StepFields): void
  /** A log with children; `runChildren` returns its fields, including an `error` in the metadata. */
  nest(
    type: Exclude<Log['type'], 'generation'>,
    name: string,
    input: Value,
    runChildren: () => StepFields | undefined,
  ): void
  /** A model call. False if it failed. */
  generate(fields: GenerationFields): boolean
}

/** Slowdown of model calls during the incident. */
const incidentSlowdown = 4.5
/** Fraction of calls that fail outside of the incident. */
const usualFailureRate = 0.012

const failures = [
  { type: 'RateLimitError', status: 429, message: 'Rate limit reached for requests. Try again in 1.8 s.' },
  { type: 'APITimeoutError', message: 'Request timed out after 60000 ms.' },
  { type: 'OverloadedError', status: 529, message: 'The model is overloaded.' },
  {
    type: 'InternalServerError',
    status: 500,
    message: 'The server had an error while processing your request.',
  },
  'fetch failed: read ECONNRESET',
] as const

export interface RunParts {
  readonly random: Random
  readonly calendar: Calendar
}

export function startRun({ random, calendar }: RunParts, startMs: number): Run {
  const isIncident = calendar.isIncident(startMs)
  const progress = calendar.progressAt(startMs)
  const logs: Log[] = []
  let clockMs = startMs
  let parentId: string | undefined

  const advance = (medianMs: number): void => {
    clockMs += Math.min(random.around(medianMs, 0.35), medianMs * 8)
  }
  const startLog = () => ({
    id: random.hex(16),
    ...(parentId === undefined ? {} : { parentId }),
    startTime: writeTime(clockMs),
  })

  return {
    random,
    logs,
    startTime: writeTime(startMs),
    progress,
    time: () => writeTime(clockMs),
    step(type, name, medianMs, fields = {}) {
      const log = startLog()
      advance(medianMs)
      logs.push({ ...log, type, name, endTime: writeTime(clockMs), ...fields })
      advance(3)
    },
    nest(type, name, input, runChildren) {
      const log: Log = { ...startLog(), type, name, input }
      logs.push(log)
      const outer = parentId
      parentId = log.id
      advance(4)
      const fields = runChildren()
      parentId = outer
      Object.assign(log, { endTime: writeTime(clockMs), ...fields })
      advance(3)
    },
    generate(fields) {
      const { name, output, prompt, tag, idealOutput } = fields
      const version = versionOf(fields, progress)
      const model: DemoModel = models[version?.model ?? fields.model ?? 'gpt-4.1-mini']
      const variables = Object.entries(fields.variables ?? {}).map(([label, value]) => ({ label, value }))
      const input = fields.messages === 'rendered' ? renderMessages(version, variables) : fields.messages
      const usage = usageOf(model.usage, { ...fields, input: input ?? fields.variables })
      const hasFailed = random.chance(isIncident ? model.failsInTrouble : usualFailureRate)
      const slowness = isIncident ? incidentSlowdown * (model.failsInTrouble + 0.3) : 1
      const firstTokenMs = model.firstTokenMs * slowness
      const log = startLog()
      advance(
        hasFailed
          ? firstTokenMs * 3
          : firstTokenMs + (usage.outputTokens / model.tokensPerSecond) * 1000 * Math.max(1, slowness / 2),
      )
      const isCounted = !hasFailed && fields.isUncounted !== true
      const temperature = version?.parameters?.temperature ?? undefined
      logs.push({
        ...log,
        type: 'generation',
        name,
        endTime: writeTime(clockMs),
        ...(input === undefined ? {} : { input }),
        output: hasFailed ? null : output,
        ...(idealOutput === undefined ? {} : { idealOutput }),
        ...(prompt === undefined
          ? {}
          : { prompt: { slug: prompt, ...(tag ? { tag } : { version: version?.version }) } }),
        ...(variables.length === 0 ? {} : { variables }),
        ...(isCounted ? { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens } : {}),
        ...(fields.isStreamed ? { timeToFirstTokenMs: Math.round(random.around(firstTokenMs, 0.2)) } : {}),
        metadata: {
          provider: model.provider,
          model: model.model,
          ...(temperature === undefined ? {} : { temperature }),
          ...(fields.isStreamed ? { stream: true } : {}),
          ...(isCounted ? { usage: usage.details } : {}),
          ...(hasFailed ? { error: random.pick(failures) } : { finishReason: 'stop' }),
          ...fields.metadata,
        },
      })
      advance(3)
      return !hasFailed
    },
  }
}

function versionOf({ prompt, version, tag }: GenerationFields, progress: number): DemoVersion | undefined {
  if (prompt === undefined || version !== undefined) return version
  return tag === undefined ? servedVersion(prompt, progress) : taggedVersion(prompt, tag)
}

function renderMessages(
  version: DemoVersion | undefined,
  variables: readonly { label: string; value: unknown }[],
) {
  const { text = '', systemText = '' } = version ?? {}
  const values = Object.fromEntries(variables.map(({ label, value }) => [label, value]))
  return render({ text, systemText }, values).map((message) => ({ ...message }))
}

/** ISO 8601 with six fractional digits. */
export function writeTime(ms: number): string {
  const micros = Math.floor((ms % 1) * 1000)
  return `${new Date(Math.floor(ms)).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`
}
