/**
 * A trace while it is being recorded. Every value is kept as the JSON it was when it was handed over, so that what the
 * application changes afterwards (a list of messages that grows) does not change what was recorded.
 */
import { logsMax } from '@plumbline/contract/limits'
import { toJson, toTextOrJson } from './json.ts'

/** The fields of a trace or of a log, as texts of JSON. Metadata is kept key by key, since it is added to. */
export class Fields {
  readonly #texts = new Map<string, string>()
  readonly #metadata = new Map<string, string>()

  has(name: string): boolean {
    return this.#texts.has(name)
  }

  /** Sets a field; returns by how many characters the whole has grown. */
  set(name: string, json: string): number {
    return grow(this.#texts, name, json)
  }

  setMetadata(key: string, json: string): number {
    return grow(this.#metadata, key, json)
  }

  toJson(more: readonly [string, string][] = []): string {
    const metadata: [string, string][] =
      this.#metadata.size > 0 ? [['metadata', objectOf(this.#metadata)]] : []
    return objectOf([...this.#texts, ...metadata, ...more])
  }
}

function grow(texts: Map<string, string>, name: string, json: string): number {
  const before = texts.get(name)?.length ?? -name.length
  texts.set(name, json)
  return json.length - before
}

const objectOf = (texts: Iterable<readonly [string, string]>): string =>
  `{${Array.from(texts, ([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`

/** What a draft tells of: a value, or a log, that could not be recorded. */
export type Loss = 'too_large' | 'late'

/** Leaves room below the service's limit of 16 MiB for what comes at the end. */
const charsMax = 15 * 2 ** 20

export class Draft {
  readonly #onLoss: (loss: Loss) => void
  readonly #logs: Fields[] = []
  /** Epoch and monotonic clock at the start: durations must not follow a clock that is set meanwhile. */
  readonly #epochMs = Date.now()
  readonly #startedAt = performance.now()
  #chars = 0
  #begun = 0
  #isEnded = false

  constructor(onLoss: (loss: Loss) => void) {
    this.#onLoss = onLoss
  }

  /** A log, and an id that no other log of this trace has. */
  addLog(): { readonly id: string; readonly fields: Fields } {
    const fields = new Fields()
    if (this.#isEnded) this.#onLoss('late')
    else if (this.#chars > charsMax || this.#logs.length >= logsMax) this.#onLoss('too_large')
    else this.#logs.push(fields)
    return { id: String(++this.#begun), fields }
  }

  /** Milliseconds since 1970, with fractions. */
  nowMs(): number {
    const now = this.#epochMs + performance.now() - this.#startedAt
    return Math.round(now * 1000) / 1000
  }

  /** Writes values into the fields of the trace or of one of its logs. */
  write(fields: Fields, values: object): void {
    if (this.#isEnded) {
      this.#onLoss('late')
      return
    }
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue
      if (name === 'metadata') {
        for (const [key, each] of Object.entries(value ?? {})) {
          this.#grow((json) => fields.setMetadata(key, json), toJson(each))
        }
      } else {
        this.#grow((json) => fields.set(name, json), texts.has(name) ? toTextOrJson(value) : toJson(value))
      }
    }
  }

  #grow(set: (json: string) => number, json: string): void {
    const fits = this.#chars + json.length <= charsMax
    if (!fits) this.#onLoss('too_large')
    this.#chars += set(fits ? json : '"[left out: the trace would be too large]"')
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The body of the trace; from then on nothing is taken any more. */
  end(trace: Fields): string {
    this.#isEnded = true
    const logs = this.#logs.splice(0).map((fields) => fields.toJson())
    return trace.toJson(logs.length === 0 ? [] : [['logs', `[${logs.join(',')}]`]])
  }
}

const texts = new Set(['input', 'output', 'idealOutput'])
