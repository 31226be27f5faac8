/** One run of an application while it is made up: a clock that moves on, and the logs it leaves. */
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
  /** Slug of the prompt; its version in production at the time is used unless another or a tag is named. */
  readonly prompt?: string
  readonly version?: DemoVersion
  readonly tag?: string
  /** For a call without a prompt. */
  readonly model?: ModelName
  /** `rendered` is what the prompt makes of the variables; absent where the service is to render that. */
  readonly messages?: 'rendered' | { role: string; content: unknown }[]
  readonly variables?: Readonly<Record<string, unknown>>
  readonly output: Value
  readonly idealOutput?: string
  readonly metadata?: Record<string, unknown>
  readonly isStreamed?: boolean
  readonly reasoningTokens?: number
  /** Share of the input that the maker had in its cache. */
  readonly cached?: number
  /** Whether the service is to count the tokens. */
  readonly isUncounted?: boolean
}

export interface Run {
  readonly random: Random
  readonly logs: Log[]
  readonly startTime: string
  /** Share of the calendar that had passed when it began. */
  readonly passed: number
  /** ISO 8601, as far as the run has come. */
  time(): string
  /** A step without steps inside. */
  step(type: Exclude<Log['type'], 'generation'>, name: string, medianMs: number, fields?: StepFields): void
  /** A step with steps inside, which may fail it by returning an `error` in its metadata. */
  within(
    type: Exclude<Log['type'], 'generation'>,
    name: string,
    input: Value,
    inside: () => StepFields | undefined,
  ): void
  /** A call of a model. False where it failed. */
  generate(fields: GenerationFields): boolean
}

/** How much slower everything is while the models' makers have trouble. */
const troubleFactor = 4.5
/** Share of calls that fail on a good day. */
const failsAnyway = 0.012

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

/** What a run is made with. */
export interface RunParts {
  readonly random: Random
  readonly calendar: Calendar
}

export function startRun({ random, calendar }: RunParts, startMs: number): Run {
  const isIncident = calendar.isIncident(startMs)
  const passed = calendar.passedAt(startMs)
  const logs: Log[] = []
  let clockMs = startMs
  let parentId: string | undefined

  const pass = (medianMs: number): void => {
    clockMs += Math.min(random.around(medianMs, 0.35), medianMs * 8)
  }
  const begin = () => ({
    id: random.hex(16),
    ...(parentId === undefined ? {} : { parentId }),
    startTime: writeTime(clockMs),
  })

  return {
    random,
    logs,
    startTime: writeTime(startMs),
    passed,
    time: () => writeTime(clockMs),
    step(type, name, medianMs, fields = {}) {
      const log = begin()
      pass(medianMs)
      logs.push({ ...log, type, name, endTime: writeTime(clockMs), ...fields })
      pass(3)
    },
    within(type, name, input, inside) {
      const log: Log = { ...begin(), type, name, input }
      logs.push(log)
      const outer = parentId
      parentId = log.id
      pass(4)
      const fields = inside()
      parentId = outer
      Object.assign(log, { endTime: writeTime(clockMs), ...fields })
      pass(3)
    },
    generate(fields) {
      const { name, output, prompt, tag, idealOutput } = fields
      const version = versionOf(fields, passed)
      const model: DemoModel = models[version?.model ?? fields.model ?? 'gpt-4.1-mini']
      const variables = Object.entries(fields.variables ?? {}).map(([label, value]) => ({ label, value }))
      const input = fields.messages === 'rendered' ? rendered(version, variables) : fields.messages
      const usage = usageOf(model.usage, { ...fields, input: input ?? fields.variables })
      const hasFailed = random.chance(isIncident ? model.failsInTrouble : failsAnyway)
      const slowness = isIncident ? troubleFactor * (model.failsInTrouble + 0.3) : 1
      const firstTokenMs = model.firstTokenMs * slowness
      const log = begin()
      pass(
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
        metadata: {
          provider: model.provider,
          model: model.model,
          ...(temperature === undefined ? {} : { temperature }),
          ...(fields.isStreamed
            ? { stream: true, timeToFirstTokenMs: Math.round(random.around(firstTokenMs, 0.2)) }
            : {}),
          ...(isCounted ? { usage: usage.details } : {}),
          ...(hasFailed ? { error: random.pick(failures) } : { finishReason: 'stop' }),
          ...fields.metadata,
        },
      })
      pass(3)
      return !hasFailed
    },
  }
}

function versionOf({ prompt, version, tag }: GenerationFields, passed: number): DemoVersion | undefined {
  if (prompt === undefined || version !== undefined) return version
  return tag === undefined ? servedVersion(prompt, passed) : taggedVersion(prompt, tag)
}

function rendered(version: DemoVersion | undefined, variables: readonly { label: string; value: unknown }[]) {
  const { text = '', systemText = '' } = version ?? {}
  const values = Object.fromEntries(variables.map(({ label, value }) => [label, value]))
  return render({ text, systemText }, values).map((message) => ({ ...message }))
}

/** ISO 8601 with six fractional digits. */
export function writeTime(ms: number): string {
  const micros = Math.floor((ms % 1) * 1000)
  return `${new Date(Math.floor(ms)).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`
}
