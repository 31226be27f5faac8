import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MaskingDetector, type MaskingRule, maskingDetectors } from '@plumbline/contract'
import fc from 'fast-check'
import { propertyRuns } from '../../../../fixtures/property-runs.ts'
import { growthOf, linearGrowthMax } from '../../../testing/growth.ts'
import { jsonExport, jsonSpan } from '../../../testing/otlp-export.ts'
import { makeSecret } from '../../accounts/keys/secret.ts'
import { compileRules } from './compile-rules.ts'
import { noDeadline } from './deadline.ts'
import { detectors } from './detectors.ts'
import { maskExport } from './mask-export.ts'
import { maskTrace } from './mask-trace.ts'
import { maskValue } from './mask-value.ts'
import { parsePath } from './path.ts'
import { compilePattern, searched } from './pattern.ts'

const key = Buffer.alloc(32, 7)
const detector = (name: MaskingDetector, action: MaskingRule['action'] = 'mask', rest = {}): MaskingRule => ({
  type: 'detector',
  detector: name,
  name,
  action,
  ...rest,
})
const all = (action: MaskingRule['action']): MaskingRule[] =>
  maskingDetectors.map((name) => detector(name, action))

const mask = (value: unknown, rules: readonly MaskingRule[]): unknown => {
  const set = compileRules(rules, key).forFeature(null)
  return maskValue(value, set.rulesOf('input'), { rules: set, deadline: noDeadline })
}
const maskBody = (trace: object, rules: readonly MaskingRule[], feature: string | null = null): unknown =>
  maskTrace(trace as Record<string, unknown>, {
    rules: compileRules(rules, key).forFeature(feature),
    deadline: noDeadline,
  })

/** Pieces of personal data, between words, digits and characters that might join them. */
const pieces = fc.constantFrom(
  'jane.doe@example.com',
  'a@b.co',
  '+49 151 23456789',
  '(415) 555-2671',
  '4111 1111 1111 1111',
  '378282246310005',
  'DE89 3704 0044 0532 0130 00',
  'GB29NWBK60161331926819',
  '203.0.113.7',
  '2001:db8::1',
  'AKIAIOSFODNN7EXAMPLE',
  makeSecret(),
)
const signs = fc.constantFrom(
  ' ',
  '',
  '-',
  '.',
  ',',
  '/',
  ':',
  '@',
  '+',
  '0',
  '1',
  '4',
  'a',
  'é',
  '"',
  '\\',
  '\n',
  '[',
  '{',
  '😀',
)
const text = fc
  .array(fc.oneof(pieces, signs, fc.string({ maxLength: 8 })), { maxLength: 12 })
  .map((parts) => parts.join(''))
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(4111111111111111, 378282246310005),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(text, fc.string()), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    tie('value').map((value) => JSON.stringify(value)),
  ),
})).value

/** The shape of a value: texts stay texts, and objects keep their number of keys. A number may become null. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).map(shapeOf)
  return typeof value === 'number' ? 'number or null' : value === null ? 'number or null' : typeof value
}

const hitsIn = (value: unknown): string[] => {
  if (typeof value === 'string')
    return maskingDetectors.flatMap((name) =>
      detectors[name].find(value).map(({ start, end }) => `${name} ${value.slice(start, end)} in ${value}`),
    )
  if (typeof value === 'number')
    return Number.isInteger(value) && detectors.card.find(String(value)).length > 0 ? ['card'] : []
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, each]) => [...hitsIn(name), ...hitsIn(each)])
    : []
}

describe('masking any value', () => {
  for (const action of ['mask', 'hash'] as const)
    it(`keeps its shape, and no match remains (${action})`, () => {
      fc.assert(
        fc.property(json, (value) => {
          const plain: unknown = JSON.parse(JSON.stringify(value))
          const masked = mask(plain, all(action))
          assert.deepEqual(shapeOf(JSON.parse(JSON.stringify(masked))), shapeOf(plain))
          assert.deepEqual(hitsIn(masked), [])
          assert.deepEqual(mask(masked, all(action)), masked, 'a second pass changes nothing')
        }),
        propertyRuns(400),
      )
    })

  it('returns the same object if nothing matches', () => {
    fc.assert(
      fc.property(json, (value) => {
        if (hitsIn(value).length === 0 && !JSON.stringify(value).includes('\\"'))
          assert.equal(mask(value, all('drop')), value)
      }),
    )
  })
})

describe('the three actions', () => {
  it('mask inserts the replacement of the rule, hash gives equal hashes for equal values, drop gives null', () => {
    const value = {
      a: 'to Jane@example.com',
      b: 'jane@example.com',
      c: 'joe@example.com',
      n: 4111111111111111,
    }
    assert.deepEqual(mask(value, [detector('email', 'mask', { text: '***' })]), {
      ...value,
      a: 'to ***',
      b: '***',
      c: '***',
    })
    const hashed = mask(value, [detector('email', 'hash'), detector('card', 'hash')]) as typeof value
    assert.match(hashed.b, /^\[email:[a-z]{20}\]$/)
    assert.equal(hashed.a, `to ${hashed.b}`)
    assert.notEqual(hashed.c, hashed.b)
    assert.ok(Number.isSafeInteger(hashed.n) && hashed.n !== value.n)
    assert.deepEqual(mask(value, all('drop')), { a: null, b: null, c: null, n: null })
    const other = compileRules([detector('email', 'hash')], Buffer.alloc(32, 8)).forFeature(null)
    assert.notEqual(
      maskValue('jane@example.com', other.rulesOf('input'), { rules: other, deadline: noDeadline }),
      hashed.b,
    )
  })

  it('searches keys and JSON inside texts, however deep', () => {
    const inner = JSON.stringify({ mail: 'jane\u0040example.com', deep: JSON.stringify(['joe@example.com']) })
    const escaped = inner.replace('@', '\\u0040')
    assert.deepEqual(mask({ 'jane@example.com': 1, 'joe@example.com': 2, body: escaped }, all('mask')), {
      '[email]': 1,
      '[email] 2': 2,
      body: JSON.stringify({ mail: '[email]', deep: JSON.stringify(['[email]']) }),
    })
  })
})

describe('rules', () => {
  const trace = {
    name: 'for jane@example.com',
    user: { id: 'jane@example.com', name: 'Jane' },
    input: 'from jane@example.com',
    metadata: {
      customer: { email: 'jane@example.com', id: 12 },
      'customer.email': 'x',
      list: [{ secret: 's' }, { secret: 't' }],
    },
    logs: [
      {
        id: 'jane@example.com',
        type: 'generation',
        output: 'jane@example.com',
        variables: [{ label: 'mail', value: 'jane@example.com' }, 'plain'],
        prompt: { slug: 'p' },
      },
    ],
    unknown: 'jane@example.com',
  }

  it('apply to every field, and leave ids; fields that the contract does not have are left out', () => {
    const masked = JSON.stringify(maskBody(trace, [detector('email')]))
    assert.equal(masked.split('jane@example.com').length - 1, 1, masked)
    assert.match(masked, /"id":"jane@example.com","type"/)
  })

  it('may be limited to fields', () => {
    const masked = maskBody(trace, [
      detector('email', 'mask', { fields: ['user', 'variables'] }),
    ]) as typeof trace
    assert.equal(masked.input, trace.input)
    assert.equal(masked.name, trace.name)
    assert.equal(masked.user.id, '[email]')
    assert.deepEqual(masked.logs[0]!.variables[0], { label: 'mail', value: '[email]' })
  })

  it('may be limited to features, and be switched off', () => {
    const rules = [detector('email', 'mask', { features: ['chat'] })]
    assert.equal((maskBody(trace, rules, 'chat') as typeof trace).input, 'from [email]')
    assert.equal((maskBody(trace, rules, 'other') as typeof trace).input, trace.input)
    assert.equal((maskBody(trace, rules) as typeof trace).input, trace.input)
    const disabledRules = [detector('email', 'mask', { enabled: false })]
    assert.equal((maskBody(trace, disabledRules) as typeof trace).input, trace.input)
  })

  it('apply in order', () => {
    const first: MaskingRule = { type: 'pattern', pattern: 'jane', name: 'n', action: 'mask', text: 'X' }
    assert.equal(mask('jane@example.com', [first, detector('email')]), '[email]')
    assert.equal(mask('jane@example.com', [detector('email'), first]), '[email]')
    assert.equal(mask('jane', [first, { ...first, pattern: 'X', text: 'Y' }]), 'Y')
  })

  const path = (place: string, action: MaskingRule['action'] = 'mask'): MaskingRule => ({
    type: 'path',
    path: place,
    name: 'p',
    action,
  })
  it('text that detectors could not search in time is masked whole', () => {
    const set = compileRules([detector('email')], key).forFeature(null)
    let texts = 0
    const context = { rules: set, deadline: { isOver: () => texts++ >= 2 } }
    assert.deepEqual(maskValue(['a', 'b'], set.rulesOf('input'), context), ['a', 'b'])
    assert.deepEqual(maskValue(['a', 'b'], set.rulesOf('input'), context), ['[masked]', '[masked]'])
  })

  it('paths name places: keys, indexes, any key, any depth', () => {
    const result = (place: string, action?: MaskingRule['action']) =>
      (maskBody(trace, [path(place, action)]) as typeof trace).metadata
    assert.deepEqual(result('metadata.customer.email').customer, { email: '[masked]', id: 12 })
    assert.equal(result('metadata.customer.email')['customer.email'], '[masked]')
    assert.deepEqual(result('metadata.list[*].secret').list, [{ secret: '[masked]' }, { secret: '[masked]' }])
    assert.deepEqual(result('metadata.list[1]').list, [{ secret: 's' }, { secret: '[masked]' }])
    assert.deepEqual(result('**.secret').list, [{ secret: '[masked]' }, { secret: '[masked]' }])
    assert.deepEqual(result('metadata.customer').customer, { email: '[masked]', id: null })
    assert.deepEqual(result('metadata.customer', 'drop').customer, null)
    const { id } = result('metadata.customer', 'hash').customer as { id: number }
    assert.ok(Number.isSafeInteger(id) && id !== 12)
    assert.equal(result('metadata', 'drop'), null)
    const masked = maskBody(trace, [
      path('variables.mail'),
      path('user.id', 'drop'),
      path('input', 'drop'),
    ]) as typeof trace
    assert.deepEqual(masked.logs[0]!.variables[0], { label: 'mail', value: '[masked]' })
    assert.deepEqual(masked.user, { id: '[dropped]', name: 'Jane' })
    assert.equal(masked.input, null)
  })

  it('values that paths may lead to are masked after the deadline', () => {
    const maskBefore = (keysMax: number) => {
      let keys = 0
      const set = compileRules([path('metadata.**.secret')], key).forFeature(null)
      return maskTrace(
        { metadata: { a: 1, b: 'x', c: { secret: 's', d: 'y' }, e: ['z'], f: 'z' } },
        { rules: set, deadline: { isOver: () => keys++ >= keysMax } },
      ).metadata
    }
    assert.deepEqual(maskBefore(100), { a: 1, b: 'x', c: { secret: '[masked]', d: 'y' }, e: ['z'], f: 'z' })
    assert.deepEqual(maskBefore(3), {
      a: 1,
      b: 'x',
      c: { secret: '[masked]', d: '[masked]' },
      e: null,
      f: '[masked]',
    })
  })

  it('values in spans that paths may lead to are masked after the deadline', () => {
    const attributes = [
      { key: 'metadata.a', value: { stringValue: 'x' } },
      { key: 'metadata.b', value: { intValue: '1' } },
      { key: 'metadata.c', value: { arrayValue: { values: [{ stringValue: 'y' }, { boolValue: true }] } } },
    ]
    const maskBefore = (keysMax: number): unknown => {
      let keys = 0
      const span = jsonSpan({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), attributes })
      const body = Buffer.from(JSON.stringify(jsonExport([span])))
      const masked = maskExport(
        { signal: 'traces', encoding: 'json', body, featureAt: () => null },
        compileRules([path('metadata.**.secret')], key),
        { deadline: { isOver: () => keys++ >= keysMax } },
      )
      return JSON.parse(String(masked)).resourceSpans[0].scopeSpans[0].spans[0].attributes
    }
    assert.deepEqual(maskBefore(100), attributes)
    const [first, second, third] = attributes
    const left = { arrayValue: { values: [{ stringValue: '[masked]' }, {}] } }
    assert.deepEqual(maskBefore(3), [first, second, { ...third, value: left }])
    assert.deepEqual(maskBefore(0), [
      { ...first, value: { stringValue: '[masked]' } },
      { ...second, value: {} },
      { ...third, value: {} },
    ])
  })

  for (const [problem, rule] of [
    ['rules[0].pattern', { type: 'pattern', pattern: '(', name: 'n', action: 'mask' }],
    ['rules[0].pattern', { type: 'pattern', pattern: '(?=a)b', name: 'n', action: 'mask' }],
    ['rules[0].pattern', { type: 'pattern', pattern: '(a)\\1', name: 'n', action: 'mask' }],
    ['rules[0].pattern', { type: 'pattern', pattern: 'a*', name: 'n', action: 'mask' }],
    [
      'rules[0].pattern',
      { type: 'pattern', pattern: '(?:a{100}b{900}c{900}){1}(?:d{900})', name: 'n', action: 'mask' },
    ],
    ['rules[0].path', path('elsewhere.x')],
    ['rules[0].path', path('metadata..x')],
    ['rules[0].path', path('metadata[x')],
    ['rules[0].text', detector('email', 'mask', { text: 'x@example.com' })],
  ] as [string, MaskingRule][])
    it(`an invalid rule is rejected, naming ${problem}: ${JSON.stringify(rule)}`, () => {
      assert.throws(() => compileRules([rule], key), {
        code: 'invalid_request',
        message: new RegExp(`^${problem.replaceAll(/[[\]]/g, '\\$&')}: `),
      })
    })
})

describe('linear time', () => {
  /** The tests measure time, since an object that counted the reads of its characters would be no string. */
  const attacks: Readonly<Record<string, (length: number) => string>> = {
    'signs of e-mail': (length) => '@'.repeat(length),
    'domains without an end': (length) => `${'a'.repeat(200)}@`.repeat(length / 201),
    digits: (length) => '4'.repeat(length),
    'groups of digits': (length) => '4111 '.repeat(length / 5),
    'beginnings of keys': (length) => 'sk-'.repeat(length / 3),
    'beginnings of tokens': (length) => 'eyJ'.repeat(length / 3),
    'parts of tokens': (length) => 'eyJaaaaaaaa-'.repeat(length / 12),
    'beginnings of private keys': (length) => '-----BEGIN PRIVATE KEY-----'.repeat(length / 27),
    colons: (length) => '1:'.repeat(length / 2),
    'zeros and plus signs': (length) => '+0 '.repeat(length / 3),
    'encoded signs': (length) => '%4'.repeat(length / 2),
    'letters and digits': (length) => 'de89 '.repeat(length / 5),
    octets: (length) => '1.'.repeat(length / 2),
  }
  for (const [title, attack] of Object.entries(attacks))
    it(`detectors read ${title} in linear time`, () => {
      const growth = growthOf((length) => {
        const input = attack(length)
        for (const name of maskingDetectors) detectors[name].find(input)
      }, 800_000)
      assert.ok(growth < linearGrowthMax, `16 times the length takes ${growth.toFixed(0)} times as long`)
    })

  it('a path with many `**` in a row has as many positions as a path with one', () => {
    assert.deepEqual(parsePath(`metadata${'.**'.repeat(95)}.zz`), parsePath('metadata.**.zz'))
    const rule: MaskingRule = {
      type: 'path',
      path: `metadata${'.**'.repeat(95)}.d`,
      name: 'p',
      action: 'mask',
    }
    const many = maskBody({ metadata: { a: { b: 1, d: 'x' }, 'c.d': 2 } }, [rule])
    assert.deepEqual(
      many,
      maskBody({ metadata: { a: { b: 1, d: 'x' }, 'c.d': 2 } }, [{ ...rule, path: 'metadata.**.d' }]),
    )
  })

  it('keys that are masked to the same text are numbered in constant time each', () => {
    const number = 500
    const keys = Array.from({ length: number }, (_, index) => `u${index}@example.com`)
    let questions = 0
    const fields = new Proxy(Object.fromEntries(keys.map((each) => [each, 1])), {
      getOwnPropertyDescriptor: (target, each) => {
        questions++
        return Reflect.getOwnPropertyDescriptor(target, each)
      },
    })
    const masked = Object.keys(mask(fields, [detector('email')]) as object)
    assert.deepEqual(masked, ['[email]', ...keys.slice(1).map((_, index) => `[email] ${index + 2}`)])
    assert.ok(questions < 5 * number, `${questions} questions for ${number} keys`)
  })

  it('a pattern that reads ahead for each of its matches is searched in windows', () => {
    const { find } = compilePattern('a.{0,50}b|a')
    const signsOf = (length: number): number => {
      searched.signs = 0
      assert.equal(find('a'.repeat(length)).length, length)
      return searched.signs
    }
    const [once, twice] = [signsOf(16_384), signsOf(32_768)]
    assert.ok(twice / once < 2.5, `${once} signs, then ${twice}`)
  })

  it('finds matches across the windows of a long text', () => {
    const { find } = compilePattern('BEGIN[a-z]*END')
    for (const lead of [0, 4090, 8180, 8190, 12_280, 50_000]) {
      const input = `${'.'.repeat(lead)}BEGIN${'x'.repeat(3000)}END${'.'.repeat(20_000)}`
      assert.deepEqual(find(input), [{ start: lead, end: lead + 3008 }], String(lead))
    }
  })
})
