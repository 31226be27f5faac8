/** Requests that no client should send: a legal one of each operation, spoiled in a way drawn at random. */
import { gzipSync } from 'node:zlib'
import { allOperations, type Operation, takesJson } from '@plumbline/contract'
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

export interface FuzzedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly payload: Buffer
}

type Random = () => number

/** Operations that are fuzzed by their body. */
const withBodies: readonly Operation[] = allOperations.filter(takesJson)
/** A new operation without an example fails the test. */
export const withoutExample = withBodies.filter(({ name }) => legalBodies[name] === undefined)

/** Makes the next request; the same numbers make the same ones. */
export function makeFuzzer(random: Random, authorization: string): () => FuzzedRequest {
  const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(random() * from.length)] as Value
  /** A copy: a value that was put into a body may be spoiled itself. */
  const oddValue = (): unknown => structuredClone(pick(oddValues))
  const pathOf = ({ path }: Operation, known: string): string => path.replaceAll(/\{\w+\}/g, known)

  const legal = (operation: Operation): FuzzedRequest => ({
    method: operation.method,
    url: pathOf(operation, pick(['greeting', 'cases', 'chat', 'none'])),
    headers: { authorization, 'content-type': 'application/json' },
    payload: Buffer.from(JSON.stringify(legalBodies[operation.name] ?? {})),
  })

  const spoilValue = (operation: Operation): FuzzedRequest => {
    const body = structuredClone(legalBodies[operation.name]) as Json
    for (let times = 1 + Math.floor(random() * 3); times > 0; times--) spoilSomewhere(body)
    return {
      ...legal(operation),
      payload: Buffer.from(toJsonText(random() < 0.03 ? oddValue() : body)),
    }
  }

  const spoilSomewhere = (body: Json): void => {
    const places = placesIn(body)
    const [holder, key] = pick(places.length === 0 ? [[body, 'x'] as const] : places)
    const draw = random()
    if (draw < 0.55) holder[key] = oddValue()
    else if (draw < 0.7) delete holder[key]
    else if (draw < 0.85)
      Object.defineProperty(holder, pick(oddKeys), {
        value: oddValue(),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    else holder[key] = [holder[key], holder[key]]
  }

  const spoilBytes = (operation: Operation): FuzzedRequest => {
    const request = legal(operation)
    const whole = Buffer.from(request.payload)
    const index = Math.floor(random() * whole.length)
    const noise = Buffer.from(
      Array.from({ length: 1 + Math.floor(random() * 40) }, () => Math.floor(random() * 256)),
    )
    const payload = pick([
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

  const spoilEncoding = (operation: Operation): FuzzedRequest => {
    const request = legal(operation)
    const zipped = gzipSync(request.payload)
    zipped[Math.floor(random() * zipped.length)]! ^= 1 << Math.floor(random() * 8)
    const payload = pick([
      zipped,
      zipped.subarray(0, zipped.length >> 1),
      request.payload,
      gzipSync(request.payload),
    ])
    return { ...request, headers: { ...request.headers, 'content-encoding': pick(oddEncodings) }, payload }
  }

  const spoilHeaders = (operation: Operation): FuzzedRequest => {
    const request = legal(operation)
    const [name, value] = pick(oddHeaders)
    const odd = random() < 0.4 ? { 'content-type': pick(oddTypes) } : { [name]: value }
    return { ...request, headers: { ...request.headers, ...odd } }
  }

  /** Every operation, those without a body too. */
  const spoilAddress = (): FuzzedRequest => {
    const operation = pick(allOperations)
    const query = random() < 0.7 ? pick(oddQueries) : ''
    const url = pathOf(operation, random() < 0.5 ? 'greeting' : pick(oddPathParts)) + query
    return {
      ...legal(operation),
      url: random() < 0.1 ? `/${pick(oddPathParts)}${query}` : url,
      method: random() < 0.9 ? operation.method : pick(['PUT', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE']),
    }
  }

  return () => {
    const operation = pick(withBodies)
    const draw = random()
    if (draw < 0.5) return spoilValue(operation)
    if (draw < 0.65) return spoilBytes(operation)
    if (draw < 0.75) return spoilEncoding(operation)
    if (draw < 0.85) return spoilHeaders(operation)
    return spoilAddress()
  }
}

/** Every place in a body that holds a value. */
function placesIn(value: Json): [holder: Json, key: string][] {
  return Object.entries(value).flatMap(([key, inner]) => [
    [value, key] as [Json, string],
    ...(typeof inner === 'object' && inner !== null ? placesIn(inner as Json) : []),
  ])
}
