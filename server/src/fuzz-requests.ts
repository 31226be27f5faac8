/** Requests that no client should send: a legal one of each operation, spoiled in a way drawn at random. */
import { gzipSync } from 'node:zlib'
import { allOperations, type Operation, takesJson } from '@plumbline/contract'

export interface FuzzedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly payload: Buffer
}

type Random = () => number
type Json = Record<string, unknown>

/** A body of each operation that takes one, with every field that it knows. */
const bodies: Readonly<Record<string, Json>> = {
  'monitor.trace': {
    name: 'n',
    featureSlug: 'chat',
    chainSlug: 'chat',
    input: { a: [1, 'x'] },
    output: 'o',
    idealOutput: null,
    metadata: { k: 'v', sessionId: 's', nested: { a: [1] } },
    organization: { id: 'o', name: 'O' },
    user: { id: 'u', name: 'U' },
    startTime: '2025-01-01T00:00:00Z',
    endTime: 1735689601,
    evaluators: [{ slug: 'polite' }],
    evaluationConfig: { sampleRate: 0.5 },
    logs: [
      { id: 'a', type: 'span', name: 's', metadata: { error: 'e' } },
      {
        id: 'b',
        parentId: 'a',
        type: 'generation',
        input: [{ role: 'user', content: 'hi' }],
        output: 'o',
        startTime: '2025-01-01T00:00:00.5Z',
        endTime: '2025-01-01T00:00:01+02:00',
        inputTokens: 3,
        outputTokens: 4,
        cost: 0.1,
        variables: [{ label: 'name', value: 'Ada' }, 'plain'],
        prompt: { slug: 'greeting', version: '1.0.0', tag: 'production' },
        metadata: { model: 'gpt-4o', provider: 'open-ai', usage: { cached_tokens: 1 } },
        evaluators: [{ slug: 'polite' }],
      },
      { id: 'c', type: 'generation', prompt: { slug: 'greeting' }, variables: [{ label: 'name' }] },
    ],
  },
  'monitor.log': {
    slug: 'greeting',
    output: { a: 1 },
    name: 'n',
    version: '1.0.0',
    tag: 'production',
    input: 'i',
    idealOutput: 'x',
    variables: [{ label: 'name', value: 'Ada' }],
    startTime: '2025-01-01T00:00:00Z',
    endTime: '2025-01-01T00:00:01Z',
    inputTokens: 1,
    outputTokens: 2,
    cost: 0.1,
    organization: { id: 'o', name: 'O' },
    user: { id: 'u', name: 'U' },
    metadata: { a: 'b' },
  },
  'workspaces.create': { name: 'Team' },
  'workspaces.update': { name: 'Team' },
  'members.update': { role: 'viewer' },
  'members.reset': {},
  'invitations.create': { email: 'ada@example.com', role: 'viewer' },
  'invitations.accept': { token: 't' },
  'scores.create': {
    traceId: 'a',
    logId: 'b',
    name: 'quality',
    value: true,
    comment: 'c',
    userId: 'u',
    createdAt: '2025-01-01T00:00:00Z',
  },
  'scores.update': { value: 0.5, comment: 'c' },
  'prompts.create': { slug: 'p', name: 'P', description: 'd', featureSlug: 'chat' },
  'prompts.publish': { newTag: 'staging', version: '1.0.0', tag: 'production' },
  'prompts.archive': {},
  'rollouts.create': {
    promptSlug: 'greeting',
    tag: 'production',
    candidateVersion: '1.0.0',
    share: 0.5,
    alertIds: ['01890000-0000-7000-8000-000000000000'],
  },
  'rollouts.update': { share: 0.1, alertIds: [] },
  'rollouts.promote': {},
  'rollouts.rollback': { reason: 'r' },
  'versions.create': {
    text: 'Say {{ name }} {% if x %}y{% endif %}',
    systemText: 's',
    model: { provider: 'open-ai', model: 'gpt-4o', parameters: { temperature: 1, topP: 1, tools: [{}] } },
    version: '9.0.0',
    tags: ['production'],
    message: 'm',
  },
  'datasets.create': { slug: 'd', name: 'D', columns: [{ name: 'a', type: 'text' }] },
  'datasets.update': { name: 'D2', columns: [{ name: 'a', type: 'json' }] },
  'datasets.add': { values: { question: 'q', other: [1] }, name: 'n', idealOutput: 'i', metadata: { a: 1 } },
  'datasets.append': {
    rows: [{ values: { question: 'q' }, name: 'n', idealOutput: 'i', metadata: { a: 1 } }],
  },
  'datasets.collect': {
    sources: [{ traceId: '01890000-0000-7000-8000-000000000000', logId: 'a' }],
    mapping: { question: 'input.a' },
    idealOutput: 'output',
  },
  'datasets.change': { values: { question: 'q' }, name: 'n', idealOutput: 'i', metadata: { a: 1 } },
  'datasets.discard': { ids: ['01890000-0000-7000-8000-000000000000'] },
  'views.create': { name: 'n', page: 'traces', search: '?a=b' },
  'views.update': { name: 'n', search: '?a=b' },
  'prompts.update': { name: 'P2', description: 'd', featureSlug: 'chat' },
  'prompts.restore': {},
  'files.sign': { fileName: 'a.png', contentType: 'image/png', sizeBytes: 10 },
  'experiments.create': { featureSlug: 'chat', name: 'e' },
  'experiments.update': { name: 'e' },
  'experiments.attach': { traceIds: ['019b0000-0000-7000-8000-000000000000'] },
  'experimentRuns.create': {
    datasetSlug: 'cases',
    rowIds: ['r'],
    target: { type: 'prompt', slug: 'greeting', version: '1.0.0', connectionId: 'c', model: 'm' },
    evaluatorSlugs: ['polite'],
    repetitions: 2,
    concurrency: 2,
    spendMax: 1,
    name: 'n',
    featureSlug: 'chat',
  },
  'experimentRuns.retry': { spendMax: 1 },
  'experimentRuns.cancel': {},
  'evaluations.create': {
    evaluatorSlug: 'polite',
    traceIds: ['019b0000-0000-7000-8000-000000000000'],
    logs: [{ traceId: '019b0000-0000-7000-8000-000000000000', logId: 'a' }],
  },
  'evaluations.retry': { ids: ['e'], evaluatorSlug: 'polite' },
  'evaluators.create': { slug: 'e', name: 'E', kind: 'contains', config: { value: 'x' }, sampleRate: 0.5 },
  'evaluators.update': { name: 'E', kind: 'contains', config: { value: 'x' }, sampleRate: 0.5 },
  'evaluators.test': {
    kind: 'regex',
    config: { pattern: 'a', flags: 'i', of: 'output', path: 'a' },
    traceIds: ['01890000-0000-7000-8000-000000000000'],
    featureSlug: 'chat',
  },
  'annotationQueues.create': {
    name: 'n',
    instructions: 'i',
    evaluatorSlugs: ['human'],
    annotatorsPerItem: 2,
    feed: { featureSlug: 'chat', share: 0.5, scoreName: 's', scoreMin: 0, scoreMax: 1 },
  },
  'annotationQueues.update': {
    name: 'n',
    instructions: 'i',
    evaluatorSlugs: ['human'],
    annotatorsPerItem: 2,
    feed: { share: 0.5 },
  },
  'annotationQueues.add': {
    items: [{ traceId: '01890000-0000-7000-8000-000000000000', logId: 'a' }],
    filter: { featureSlug: 'chat', where: '[]' },
    count: 2,
    isRandom: true,
    seed: 's',
  },
  'annotationQueues.remove': { itemIds: ['i'] },
  'annotationQueues.next': { holding: ['i'] },
  'annotationQueues.submit': {
    scores: [{ evaluatorSlug: 'human', value: true, comment: 'c' }],
    comment: 'c',
  },
  'annotationQueues.skip': {},
  'annotationQueues.undo': { itemId: 'i' },
  'alerts.create': {
    name: 'n',
    note: 'x',
    measure: 'score',
    scoreName: 's',
    evaluatorSlug: 'polite',
    filters: { featureSlug: 'chat', 'metadata.a': 'b', where: '[]' },
    windowMinutes: 5,
    condition: 'above',
    threshold: 1,
    recoveryThreshold: 0.5,
    forMinutes: 1,
    keepFiringForMinutes: 1,
    minimumSamples: 2,
    noData: 'keep',
    delaySeconds: 0,
    channelIds: [],
    isEnabled: true,
  },
  'alerts.update': {
    name: 'n',
    filters: { promptSlug: 'greeting' },
    threshold: 2,
    channelIds: ['c'],
    mutedUntil: '2099-01-01T00:00:00Z',
  },
  'alerts.retry': {},
  'channels.create': { name: 'n', type: 'webhook', url: 'https://a.b', to: ['a@example.com'] },
  'channels.update': { name: 'n', url: 'https://a.b', to: ['a@example.com'], isEnabled: false },
  'channels.rotate': {},
  'channels.test': {},
  'connections.create': {
    name: 'n',
    provider: 'mistral',
    apiKey: 'k',
    baseUrl: 'https://a.b',
    region: 'r',
    models: ['m'],
  },
  'connections.update': { name: 'n', apiKey: 'k', baseUrl: 'https://a.b', region: 'r', models: ['m'] },
  'connections.test': { model: 'm' },
  'playground.run': {
    connectionId: 'c',
    model: 'm',
    prompt: { slug: 'greeting', version: '1.0.0', tag: 'production' },
    text: '{{ a }}',
    systemText: 's',
    variables: { a: 1 },
    messages: [{ role: 'user', content: 'x' }],
    parameters: { temperature: 0.5, tools: [{}], responseFormat: 'text' },
    record: true,
    featureSlug: 'chat',
  },
  'retention.update': { days: 30 },
  'features.create': { slug: 'f', name: 'F', description: 'd' },
  'keys.create': { name: 'k', scopes: ['read'], expiresAt: '2099-01-01T00:00:00Z' },
  'prices.create': {
    provider: 'open-ai',
    model: 'm',
    prices: { input: 1, output: 2 },
    from: '2025-01-01T00:00:00Z',
  },
}

/** Operations that are fuzzed by their body; a new one without an example here fails the test. */
export const withBodies: readonly Operation[] = allOperations.filter(takesJson)
export const withoutExample = withBodies.filter(({ name }) => bodies[name] === undefined)

/** Written into the JSON text as it stands: `JSON.stringify` has no way to write it. */
const raw = (text: string): string => `\u0001raw ${text}\u0001`

const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  -0.5,
  1.5,
  2 ** 53,
  Number.MAX_VALUE,
  5e-324,
  raw('1e400'),
  raw('-1e400'),
  raw(`1${'0'.repeat(400)}`),
  raw('-0'),
  raw('1E+2'),
  '',
  ' ',
  'x',
  '\u0000',
  '\ud800',
  '\udc00x',
  'a\ud83d',
  '__proto__',
  'constructor',
  'toString',
  '{{',
  '{% for x in y %}',
  '9999-12-31T23:59:60Z',
  '0000-00-00T00:00:00Z',
  '2025-02-30T00:00:00Z',
  'NaN',
  '1.0.0',
  'latest',
  'x'.repeat(300),
  'y'.repeat(70_000),
  [],
  {},
  [[]],
  [null],
  [{}],
  { __proto__: null, '': '' },
  { constructor: { prototype: { polluted: true } } },
  raw('{"__proto__":{"polluted":1}}'),
  { toString: 1, valueOf: null, hasOwnProperty: 0, length: -1 },
  raw('{"then":"x"}'),
  raw('['.repeat(1500) + ']'.repeat(1500)),
  raw(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`),
  raw('{"a":1,"a":{}}'),
  raw('['.repeat(100_000)),
  raw('NaN'),
  raw('undefined'),
  raw('"\\x"'),
  raw('01'),
  1e20,
  253402300800e9,
  9e15,
  Array.from({ length: 500 }, () => 'a'),
]
const oddKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  ' ',
  'a.b',
  '$ref',
  '\u0000',
  '\ud800',
  'slug',
  'id',
  'type',
  'logs',
  'error',
  'then',
  '0',
  '-1',
]
const oddTypes = [
  'text/plain',
  'application/jsonx',
  'application/json; charset=latin1',
  'application/json;',
  'multipart/form-data',
  '',
  ';',
  'a/b/c',
  'application/vnd.api+json',
  'APPLICATION/JSON',
  'x'.repeat(3000),
]
const oddEncodings = [
  'gzip',
  'deflate',
  'br',
  'zstd',
  'identity',
  'gzip, gzip',
  ',',
  '__proto__',
  'constructor',
  'x',
  'gzip,'.repeat(50),
  'toString',
]
const oddPathParts = [
  '%',
  '%zz',
  '%ff',
  '%00',
  '%2e%2e',
  '..',
  '%2f',
  '%c0%ae',
  'a%20b',
  '%F0%9F%A7%B1',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
  '*',
  ';a=b',
  '%25',
  "'",
  '"',
  '%EF%BF%BF',
  '\\',
]
const oddQueries = [
  '?',
  '?&&&',
  '?limit=0',
  '?limit=1e400',
  '?limit[]=1',
  '?limit=1&limit=2',
  '?cursor=%00',
  '?cursor=AAAA',
  '?__proto__=1',
  '?constructor=x',
  '?metadata.=1',
  '?metadata.__proto__=x',
  '?from=%ff',
  '?from=x&to=y',
  '?q="',
  '?q=%00',
  "?q='%20OR%201=1--",
  '?hasError=maybe',
  '?minCost=NaN',
  '?type=x',
  '?version=&tag=',
  '?a'.repeat(2000),
  '?%',
  '?=%zz',
  '?measures=x&dimensions=__proto__',
  '?filters={',
  '?filters=[]',
  '?filters={"a":1}',
  '?filters={"__proto__":1}',
  '?cursor=eyJhIjoxfQ',
  '?userId=%ed%a0%80',
  '?granularity=hour&measures=traces&from=0001-01-01T00:00:00Z',
]
const oddHeaders: readonly (readonly [string, string])[] = [
  ['idempotency-key', ''],
  ['idempotency-key', 'x'.repeat(300)],
  ['idempotency-key', '\u00ff'],
  ['idempotency-key', '__proto__'],
  ['authorization', ''],
  ['authorization', 'Bearer'],
  ['authorization', 'Bearer  '],
  ['authorization', 'Basic eDp5'],
  ['authorization', `Bearer ${'x'.repeat(5000)}`],
  ['authorization', 'Bearer pl_\u00ff'],
  ['content-length', '5'],
  ['content-length', '999999'],
  ['content-length', '-1'],
  ['content-length', 'x'],
  ['if-none-match', ',,"'],
  ['accept', 'text/html'],
  ['expect', '100-continue'],
  ['host', ''],
  ['host', '\u00e9:x'],
  ['x-forwarded-proto', 'x'],
  ['accept-version', '9'],
  ['transfer-encoding', 'x'],
  ['range', 'bytes=0-1'],
  ['origin', 'null'],
  ['te', 'x'],
]

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
    payload: Buffer.from(JSON.stringify(bodies[operation.name] ?? {})),
  })

  const spoilValue = (operation: Operation): FuzzedRequest => {
    const body = structuredClone(bodies[operation.name]) as Json
    for (let times = 1 + Math.floor(random() * 3); times > 0; times--) spoilSomewhere(body)
    return {
      ...legal(operation),
      payload: Buffer.from(withRaw(JSON.stringify(random() < 0.03 ? oddValue() : body))),
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
    const at = Math.floor(random() * whole.length)
    const noise = Buffer.from(
      Array.from({ length: 1 + Math.floor(random() * 40) }, () => Math.floor(random() * 256)),
    )
    const payload = pick([
      whole.subarray(0, at),
      noise,
      Buffer.concat([whole.subarray(0, at), noise, whole.subarray(at)]),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), whole]),
      Buffer.concat([whole.subarray(0, at), Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80]), whole.subarray(at)]),
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

const withRaw = (json: string): string =>
  json.replaceAll(
    /"\\u0001raw (.*?)\\u0001"/g,
    (_whole, quoted: string) => JSON.parse(`"${quoted}"`) as string,
  )
