import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { it } from 'node:test'
import fc from 'fast-check'
import { TooLarge, toJson } from './json.ts'

it('JSON values are serialized as by JSON.stringify', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(toJson(value), JSON.stringify(value))))
})

it('a value that fits is never too large', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withSparseArray: true }), (value) => {
      const text = toJson(value)
      assert.equal(toJson(value, text.length), text)
    }),
  )
})

it('any value becomes JSON, and never an error', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withMap: true, withSet: true, withTypedArray: true }),
      (value) => {
        JSON.parse(toJson(value))
      },
    ),
  )
})

it('values that JSON cannot represent are described in words', () => {
  const circle: Record<string, unknown> = { name: 'a', when: new Date(0) }
  circle.self = circle
  circle.list = [circle, 1n]
  assert.deepEqual(JSON.parse(toJson(circle)), {
    name: 'a',
    when: '1970-01-01T00:00:00.000Z',
    self: '[circular]',
    list: ['[circular]', '1'],
  })
  const secret = { password: 'p', toJSON: () => ({ user: 'u' }) }
  const neighbours = { secret, address: new URL('http://localhost/a'), never: new Date(Number.NaN), circle }
  assert.deepEqual(JSON.parse(toJson(neighbours)), {
    secret: { user: 'u' },
    address: 'http://localhost/a',
    never: null,
    circle: JSON.parse(toJson(circle)),
  })
  const failing = {
    fine: 1,
    failing: {
      toJSON() {
        throw new Error('Do not ask.')
      },
    },
  }
  assert.deepEqual(JSON.parse(toJson(failing)), { fine: 1, failing: '[unreadable]' })
  const values = {
    big: 1n,
    map: new Map([['a', 1]]),
    set: new Set([1]),
    error: new TypeError('No.'),
    bytes: Buffer.from('abc'),
  }
  assert.deepEqual(JSON.parse(toJson(values)), {
    big: '1',
    map: { a: 1 },
    set: [1],
    error: { name: 'TypeError', message: 'No.' },
    bytes: '[3 bytes]',
  })
  const net: { name: string; links: unknown[] }[] = Array.from({ length: 500 }, () => ({
    name: 'a'.repeat(1000),
    links: [],
  }))
  for (const node of net) node.links.push(...net)
  const text = toJson(net)
  assert.ok(text.length < 2 ** 25 && text.includes('[too large]'), `${text.length} characters`)
  const broken = {
    fine: 1,
    get broken() {
      throw new Error('Do not read this.')
    },
  }
  assert.deepEqual(JSON.parse(toJson(broken)), { fine: 1, broken: '[unreadable]' })
})

const readBack = (value: unknown): unknown => JSON.parse(toJson(value))

it('objects without visible fields are described in words', () => {
  class Secret {
    readonly #text = 'hidden'
    get length() {
      return this.#text.length
    }
  }
  class Place {
    readonly city = 'Lyon'
    readonly find = () => this.city
    get country(): string {
      throw new Error('Nobody knows.')
    }
  }
  const values: [value: unknown, words: unknown][] = [
    [Symbol('mark'), 'Symbol(mark)'],
    [
      [function choose() {}, () => 1],
      ['[function choose]', '[function without a name]'],
    ],
    [/a+/g, '/a+/g'],
    [new URLSearchParams({ a: '1', b: 'x y' }), 'a=1&b=x+y'],
    [Promise.resolve(1), '[Promise]'],
    [(function* () {})(), '[Generator]'],
    [new ReadableStream(), '[ReadableStream]'],
    [new Secret(), '[Secret]'],
    [new Place(), { city: 'Lyon' }],
    [Object(1n), '1'],
    [new ArrayBuffer(8), '[8 bytes]'],
    [new DataView(new ArrayBuffer(3)), '[3 bytes]'],
    [new Float32Array([0.5, 2]), [0.5, 2]],
    [new BigUint64Array([1n]), ['1']],
    [new Map<unknown, unknown>([[1, new Map([[true, 'b']])]]), { 1: { true: 'b' } }],
    [new Map([[{ id: 1 }, 'a']]), [[{ id: 1 }, 'a']]],
    [new Blob(['abc'], { type: 'text/plain' }), '[text/plain, 3 bytes]'],
    [new File(['abc'], 'a.bin'), '[a.bin, File, 3 bytes]'],
    [new AbortController().signal, '[AbortSignal]'],
    [AbortSignal.abort('late'), { aborted: true, reason: 'late' }],
    [new Proxy({ a: 1 }, {}), { a: 1 }],
    [JSON.parse('{ "__proto__": 1 }'), JSON.parse('{ "__proto__": 1 }')],
  ]
  for (const [value, words] of values) {
    assert.deepEqual(readBack(value), words)
    assert.deepEqual(readBack({ value }), { value: words })
  }
  const form = new FormData()
  for (const tag of ['a', 'b']) form.append('tag', tag)
  form.append('file', new File(['abc'], 'a.txt', { type: 'text/plain' }))
  assert.deepEqual(readBack(form), { tag: ['a', 'b'], file: '[a.txt, text/plain, 3 bytes]' })
})

it('an error includes its causes and its aggregated errors', () => {
  const error = new Error('No answer.', { cause: new TypeError('fetch failed', { cause: 'refused' }) })
  const described = {
    name: 'Error',
    message: 'No answer.',
    cause: { name: 'TypeError', message: 'fetch failed', cause: 'refused' },
  }
  assert.deepEqual(readBack(new AggregateError([error], 'All failed.')), {
    name: 'AggregateError',
    message: 'All failed.',
    errors: [described],
  })
  class NotFoundError extends Error {}
  assert.deepEqual(readBack(new NotFoundError('404')), { name: 'NotFoundError', message: '404' })
  const endless = new Error('Again.')
  endless.cause = endless
  assert.deepEqual(readBack(endless), { name: 'Error', message: 'Again.', cause: '[circular]' })
})

it('requests and responses are described without bodies and credentials', async () => {
  const headers = {
    authorization: 'Bearer secret',
    cookie: 'sid=secret',
    'x-api-key': 'secret',
    accept: '*/*',
  }
  const leftOut = {
    accept: '*/*',
    authorization: '[left out]',
    cookie: '[left out]',
    'x-api-key': '[left out]',
  }
  const request = new Request('http://localhost/chat', { method: 'POST', headers, body: 'Where?' })
  assert.deepEqual(readBack(request), {
    method: 'POST',
    url: 'http://localhost/chat',
    headers: { ...leftOut, 'content-type': 'text/plain;charset=UTF-8' },
  })
  assert.equal(await request.text(), 'Where?')
  const response = new Response('In Lyon.', { status: 201, headers })
  assert.deepEqual(readBack(response), {
    status: 201,
    headers: { ...leftOut, 'content-type': 'text/plain;charset=UTF-8' },
  })
  assert.equal(await response.text(), 'In Lyon.')
  // As a Node server receives them.
  const incoming = Object.assign(new Readable(), { method: 'GET', url: '/chat', headers })
  assert.deepEqual(readBack([incoming, new Writable()]), [
    { method: 'GET', url: '/chat', headers: leftOut },
    '[Writable]',
  ])
})

it('a value that is too large is read only until that is certain', () => {
  let readCount = 0
  const numbers = new Proxy(Array(1_000_000).fill(1234), {
    get(target, name) {
      readCount++
      return Reflect.get(target, name, target)
    },
  })
  assert.throws(() => toJson({ numbers }, 1000), TooLarge)
  assert.ok(readCount < 1000, `${readCount} reads`)
  assert.throws(() => toJson(new Map([['a', 'b'.repeat(1000)]]), 1000), TooLarge)
})

it('bytes are counted, but not read', () => {
  const bytes = Buffer.alloc(3)
  bytes.toJSON = () => {
    throw new Error('As a list they would take many times their memory.')
  }
  assert.deepEqual(readBack({ bytes }), { bytes: '[3 bytes]' })
})
