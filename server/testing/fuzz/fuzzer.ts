/** Requests that no client should send: a valid request for each operation, malformed in a random way. */
import { gzipSync } from 'node:zlib'
import {
  allOperations,
  inputTravelsInQuery,
  type Operation,
  pathFields,
  takesJson,
} from '@plumbline/contract'
import { type Json, legalBodies } from './legal-bodies.ts'
import {
  oddEncodings,
  oddHeaders,
  oddKeys,
  oddPathParts,
  oddQueries,
  oddTypes,
  oddValues,
  toJsonText,
} from './oddities.ts'

/** Classes of requests, for counting. */
const fuzzClasses = ['JSON body', 'query', 'address', 'stream', 'sign-in'] as const
export type FuzzClass = (typeof fuzzClasses)[number]

export interface FuzzedRequest {
  readonly class: FuzzClass
  /** The operation, or the path of a route that is none. */
  readonly target: string
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly payload: Buffer
}

type Random = () => number

const oddTexts = oddValues
  .filter((value) => typeof value !== 'object')
  .map((value) => String(value).slice(0, 3000))
const plausibleTexts = [
  '1',
  '10',
  'true',
  'csv',
  'jsonl',
  'production',
  '1.0.0',
  'hour',
  'greeting',
  'name',
  '2025-01-01T00:00:00Z',
  'traces',
  '[]',
]

/** Operations that are fuzzed through their body. */
const withBodies: readonly Operation[] = allOperations.filter(takesJson)
/** Operations that are fuzzed through their query. */
const withQueries: readonly Operation[] = allOperations.filter(({ method }) => inputTravelsInQuery(method))
/** Operations without an example fail the test. */
export const withoutExample = withBodies.filter(({ name }) => legalBodies[name] === undefined)

/** A route that accepts a body and is no JSON operation: bundles, files, OpenTelemetry, agents, signing in. */
export interface FuzzedRoute {
  readonly class: FuzzClass
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface FuzzParts {
  readonly authorization: string
  /** The headers of a signed-in user, for operations that no key may call. */
  readonly personHeaders?: Readonly<Record<string, string>>
  /** Routes in addition to the operations; none if absent. */
  readonly routes?: readonly FuzzedRoute[]
}

const pathOf = ({ path }: Operation, parameter: string): string => path.replaceAll(/\{\w+\}/g, parameter)

/** Makes requests that break the rules somewhere; the same seed gives the same requests. */
export class Fuzzer {
  readonly #random: Random
  readonly #parts: FuzzParts
  readonly #routes: readonly FuzzedRoute[]

  constructor(random: Random, parts: FuzzParts) {
    this.#random = random
    this.#parts = parts
    this.#routes = parts.routes ?? []
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)] as Value
  }

  /** A copy, since a value inside a body may itself be changed later. */
  #oddValue(): unknown {
    return structuredClone(this.#pick(oddValues))
  }

  #legal(operation: Operation): FuzzedRequest {
    return {
      class: 'JSON body',
      target: operation.name,
      method: operation.method,
      url: pathOf(operation, this.#pick(['greeting', 'cases', 'chat', 'none'])),
      headers: {
        ...(operation.scope === null && this.#parts.personHeaders !== undefined
          ? this.#parts.personHeaders
          : { authorization: this.#parts.authorization }),
        'content-type': 'application/json',
      },
      payload: Buffer.from(JSON.stringify(legalBodies[operation.name] ?? {})),
    }
  }

  #spoilValue(operation: Operation): FuzzedRequest {
    const body = structuredClone(legalBodies[operation.name]) as Json
    for (let times = 1 + Math.floor(this.#random() * 3); times > 0; times--) this.#spoilSomewhere(body)
    return {
      ...this.#legal(operation),
      payload: Buffer.from(toJsonText(this.#random() < 0.03 ? this.#oddValue() : body)),
    }
  }

  #spoilSomewhere(body: Json): void {
    const places = placesIn(body)
    const [holder, key] = this.#pick(places.length === 0 ? [[body, 'x'] as const] : places)
    const draw = this.#random()
    if (draw < 0.55) holder[key] = this.#oddValue()
    else if (draw < 0.7) delete holder[key]
    else if (draw < 0.85)
      Object.defineProperty(holder, this.#pick(oddKeys), {
        value: this.#oddValue(),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    else holder[key] = [holder[key], holder[key]]
  }

  #spoilBytes(operation: Operation): FuzzedRequest {
    const request = this.#legal(operation)
    const whole = Buffer.from(request.payload)
    const index = Math.floor(this.#random() * whole.length)
    const noise = Buffer.from(
      Array.from({ length: 1 + Math.floor(this.#random() * 40) }, () => Math.floor(this.#random() * 256)),
    )
    const payload = this.#pick([
      whole.subarray(0, index),
      noise,
      Buffer.concat([whole.subarray(0, index), noise, whole.subarray(index)]),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), whole]),
      Buffer.concat([
        whole.subarray(0, index),
        Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80]),
        whole.subarray(index),
      ]),
      Buffer.from(whole.toString(), 'utf16le'),
      Buffer.concat([whole, whole]),
      Buffer.alloc(0),
      Buffer.from('null'),
      Buffer.from('"text"'),
      Buffer.from('[]'),
    ])
    return { ...request, payload }
  }

  #spoilEncoding(operation: Operation): FuzzedRequest {
    const request = this.#legal(operation)
    const zipped = gzipSync(request.payload)
    zipped[Math.floor(this.#random() * zipped.length)]! ^= 1 << Math.floor(this.#random() * 8)
    const payload = this.#pick([
      zipped,
      zipped.subarray(0, zipped.length >> 1),
      request.payload,
      gzipSync(request.payload),
    ])
    return {
      ...request,
      headers: { ...request.headers, 'content-encoding': this.#pick(oddEncodings) },
      payload,
    }
  }

  #spoilHeaders(operation: Operation): FuzzedRequest {
    const request = this.#legal(operation)
    const [name, value] = this.#pick(oddHeaders)
    const odd = this.#random() < 0.4 ? { 'content-type': this.#pick(oddTypes) } : { [name]: value }
    return { ...request, headers: { ...request.headers, ...odd } }
  }

  /** Puts odd values into the query of operations without a body. */
  #spoilQuery(): FuzzedRequest {
    const operation = this.#pick(withQueries)
    const inPath = pathFields(operation.path)
    const names = Object.keys(operation.input.properties).filter((name) => !inPath.includes(name))
    const query = new URLSearchParams()
    for (let times = Math.floor(this.#random() * 4); times >= 0 && names.length > 0; times--)
      query.append(
        this.#random() < 0.95 ? this.#pick(names) : this.#pick(oddKeys),
        this.#random() < 0.6 ? String(this.#pick(oddTexts)) : this.#pick(plausibleTexts),
      )
    const request = this.#legal(operation)
    const payload = Buffer.alloc(0)
    return { ...request, class: 'query', url: `${request.url}?${query}`, payload }
  }

  /** Changes, cuts, doubles or wrongly compresses the bytes of a streamed body. */
  #spoilRoute(): FuzzedRequest {
    const { class: fuzzClass, method, url, headers, body } = this.#pick(this.#routes)
    const spoiled = Buffer.from(body)
    for (let times = Math.floor(this.#random() * 4); times > 0 && spoiled.length > 0; times--)
      spoiled[Math.floor(this.#random() * spoiled.length)] = Math.floor(this.#random() * 256)
    const index = Math.floor(this.#random() * spoiled.length)
    const payload = this.#pick([
      spoiled,
      spoiled,
      spoiled.subarray(0, index),
      Buffer.concat([spoiled, spoiled.subarray(index)]),
      gzipSync(spoiled),
      gzipSync(spoiled).subarray(0, index >> 1),
      Buffer.alloc(0),
    ])
    const [name, value] = this.#pick(oddHeaders)
    const draw = this.#random()
    const odd: Record<string, string> =
      draw < 0.2
        ? { 'content-encoding': this.#pick(oddEncodings) }
        : draw < 0.3
          ? { 'content-type': this.#pick(oddTypes) }
          : draw < 0.35
            ? { [name]: value }
            : {}
    const target = url.split('?', 1)[0]!
    const address = this.#random() < 0.9 ? url : `${url}${this.#pick(oddQueries)}`
    return { class: fuzzClass, target, method, url: address, headers: { ...headers, ...odd }, payload }
  }

  /** Malforms the path of any operation, including those without a body. */
  #spoilAddress(): FuzzedRequest {
    const operation = this.#pick(allOperations)
    const query = this.#random() < 0.7 ? this.#pick(oddQueries) : ''
    const url = pathOf(operation, this.#random() < 0.5 ? 'greeting' : this.#pick(oddPathParts)) + query
    return {
      ...this.#legal(operation),
      class: 'address',
      url: this.#random() < 0.1 ? `/${this.#pick(oddPathParts)}${query}` : url,
      method:
        this.#random() < 0.9 ? operation.method : this.#pick(['PUT', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE']),
    }
  }

  /** The next request; the same seed gives the same requests. */
  next(): FuzzedRequest {
    if (this.#routes.length > 0) {
      const kind = this.#random()
      if (kind < 0.2) return this.#spoilQuery()
      if (kind < 0.35) return this.#spoilRoute()
    }
    const operation = this.#pick(withBodies)
    const draw = this.#random()
    if (draw < 0.5) return this.#spoilValue(operation)
    if (draw < 0.65) return this.#spoilBytes(operation)
    if (draw < 0.75) return this.#spoilEncoding(operation)
    if (draw < 0.85) return this.#spoilHeaders(operation)
    return this.#spoilAddress()
  }
}

/** Every place in a body that contains a value. */
function placesIn(value: Json): [holder: Json, key: string][] {
  return Object.entries(value).flatMap(([key, inner]) => [
    [value, key] as [Json, string],
    ...(typeof inner === 'object' && inner !== null ? placesIn(inner as Json) : []),
  ])
}
