/**
 * A trace while it is being recorded. Every value is serialized when it is recorded, so that later changes by the
 * application (a growing list of messages) do not change the record.
 */
import { logsMax } from '@plumbline/contract/limits'
import { toJson, toTextOrJson } from '../client/json.ts'

/** The fields of a trace or a log as JSON text. Metadata is kept by key, so that keys can be added. */
export class Fields {
  readonly #texts = new Map<string, string>()
  readonly #metadata = new Map<string, string>()

  has(name: string): boolean {
    return this.#texts.has(name)
  }

  /** Sets a field; returns how many characters the total has grown by. */
  set(name: string, json: string): number {
    return grow(this.#texts, name, json)
  }

  setMetadata(key: string, json: string): number {
    return grow(this.#metadata, key, json)
  }

  toJson(more: readonly [string, string][] = []): string {
    const metadata: [string, string][] =
      this.#metadata.size > 0 ? [['metadata', toObjectJson(this.#metadata)]] : []
    return toObjectJson([...this.#texts, ...metadata, ...more])
  }
}

function grow(texts: Map<string, string>, name: string, json: string): number {
  const before = texts.get(name)?.length ?? -name.length
  texts.set(name, json)
  return json.length - before
}

const toObjectJson = (texts: Iterable<readonly [string, string]>): string =>
  `{${Array.from(texts, ([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`

/** Why a value or a log could not be recorded. */
export type Loss = 'too_large' | 'late'

/** Leaves room below the service's limit of 16 MiB for the final fields. */
const charsMax = 15 * 2 ** 20

export class Draft {
  readonly #onLoss: (loss: Loss) => void
  readonly #mask: (field: string, value: unknown) => unknown
  readonly #logs: Fields[] = []
  /** Epoch and monotonic clock at the start, so that clock changes do not affect durations. */
  readonly #epochMs = Date.now()
  readonly #startedAt = performance.now()
  #chars = 0
  #logCount = 0
  #isEnded = false

  constructor(
    onLoss: (loss: Loss) => void,
    mask: (field: string, value: unknown) => unknown = (_field, value) => value,
  ) {
    this.#onLoss = onLoss
    this.#mask = mask
  }

  /** Adds a log, with an id unique in this trace. */
  addLog(): { readonly id: string; readonly fields: Fields } {
    const fields = new Fields()
    if (this.#isEnded) this.#onLoss('late')
    else if (this.#chars > charsMax || this.#logs.length >= logsMax) this.#onLoss('too_large')
    else this.#logs.push(fields)
    return { id: String(++this.#logCount), fields }
  }

  /** Milliseconds since the Unix epoch, with fractions. */
  nowMs(): number {
    const now = this.#epochMs + performance.now() - this.#startedAt
    return Math.round(now * 1000) / 1000
  }

  /** Sets fields of the trace or of one of its logs. */
  write(fields: Fields, values: object): void {
    if (this.#isEnded) {
      this.#onLoss('late')
      return
    }
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue
      if (name === 'metadata') {
        for (const [key, each] of Object.entries(this.#masked(name, value) ?? {})) {
          this.#grow((json) => fields.setMetadata(key, json), toJson(each))
        }
      } else {
        const masked = this.#masked(name, value)
        this.#grow(
          (json) => fields.set(name, json),
          textFields.has(name) ? toTextOrJson(masked) : toJson(masked),
        )
      }
    }
  }

  /** Metadata that a mask made no object of is left out. */
  #masked(name: string, value: unknown): unknown {
    if (name === 'metadata' && Object.keys(Object(value)).length === 0) return value
    const masked = this.#mask(name, value)
    if (name !== 'metadata') return masked
    return typeof masked === 'object' && !Array.isArray(masked) ? masked : null
  }

  #grow(set: (json: string) => number, json: string): void {
    const fits = this.#chars + json.length <= charsMax
    if (!fits) this.#onLoss('too_large')
    this.#chars += set(fits ? json : '"[left out: the trace would be too large]"')
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Ends the trace and returns its body; nothing can be recorded afterwards. */
  end(trace: Fields): string {
    this.#isEnded = true
    const logs = this.#logs.splice(0).map((fields) => fields.toJson())
    return trace.toJson(logs.length === 0 ? [] : [['logs', `[${logs.join(',')}]`]])
  }
}

const textFields = new Set(['input', 'output', 'idealOutput'])
