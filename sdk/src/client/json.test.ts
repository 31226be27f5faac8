import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { toJson } from './json.ts'

it('what JSON can say is said as JSON says it', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(toJson(value), JSON.stringify(value))))
})

it('whatever is handed over becomes JSON, and never an error', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withMap: true, withSet: true, withTypedArray: true }),
      (value) => {
        JSON.parse(toJson(value))
      },
    ),
  )
})

it('what JSON cannot say is put into words', () => {
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
