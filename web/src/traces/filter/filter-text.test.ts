import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../../../fixtures/property-runs.ts'
import { filterFields } from './filter-fields.ts'
import { type Clause, readFilter, readParts, writeClause, writeFilter } from './filter-text.ts'

const problemOf = (text: string) => {
  const [part] = readParts(text)
  assert.ok(part !== undefined && !('type' in part.result), text)
  return part.result
}

describe('the text of a filter', () => {
  it('has fields, bounds, lists, negations, presence, words and phrases', () => {
    assert.deepEqual(
      readFilter(
        'type:generation model:gpt-4o,"o 3" -user:ada cost>0.01 duration<=2s tokens>=10k metadata.env:prod hasError:true -session:* score.accuracy<0.5 refund "exact words"',
      ),
      [
        { type: 'values', field: 'type', values: ['generation'], isNot: false },
        { type: 'values', field: 'model', values: ['gpt-4o', 'o 3'], isNot: false },
        { type: 'values', field: 'user', values: ['ada'], isNot: true },
        { type: 'bound', field: 'cost', operator: '>', value: 0.01 },
        { type: 'bound', field: 'duration', operator: '<=', value: 2000 },
        { type: 'bound', field: 'tokens', operator: '>=', value: 10_000 },
        { type: 'values', field: 'metadata.env', values: ['prod'], isNot: false },
        { type: 'values', field: 'hasError', values: ['true'], isNot: false },
        { type: 'presence', field: 'session', isThere: false },
        { type: 'bound', field: 'score.accuracy', operator: '<', value: 0.5 },
        { type: 'words', text: 'refund' },
        { type: 'words', text: 'exact words' },
      ] satisfies Clause[],
    )
  })

  it('accepts aliases of a field, any case, and units', () => {
    assert.equal(
      writeFilter(readFilter('CUSTOMER:acme latency>1500ms cost:>$2 -hasError:true errors:2 userid:x')),
      'organization:acme duration>1500ms cost>2 hasError:false errors=2 user:x',
    )
  })

  it('treats apparent fields as words if they start differently or are quoted', () => {
    assert.deepEqual(readFilter('12:30 "http://example.com" a-b'), [
      { type: 'words', text: '12:30' },
      { type: 'words', text: 'http://example.com' },
      { type: 'words', text: 'a-b' },
    ])
  })

  it('suggests the intended field and the corrected text', () => {
    assert.deepEqual(problemOf('modle:gpt-4o'), {
      message: 'There is no field "modle". Did you mean model?',
      suggestion: 'model:gpt-4o',
    })
    assert.equal(problemOf('usre:ada').suggestion, 'user:ada')
    for (const [text, opposite] of [
      ['-cost<1', 'cost>=1'],
      ['-cost<=1', 'cost>1'],
      ['-cost>=0.5', 'cost<0.5'],
      ['-duration>2s', 'duration<=2s'],
    ] as const)
      assert.equal(problemOf(text).suggestion, opposite)
    assert.equal(problemOf('-cost:1').message, 'Use cost<1 or cost>1 instead.')
    assert.match(problemOf('zzzzzzzz:1').message, /metadata\.zzzzzzzz/)
    assert.equal(problemOf('zzzzzzzz:1').suggestion, '"zzzzzzzz:1"')
  })

  it('explains what a field needs, and keeps the rest of the filter', () => {
    for (const text of ['model:', 'model>3', 'cost>cheap', 'hasError:maybe', '""', '-cost>3']) {
      assert.notEqual(problemOf(text).message, '')
    }
    assert.deepEqual(readFilter('cost>cheap model:a'), [
      { type: 'values', field: 'model', values: ['a'], isNot: false },
    ])
  })
})

const key = fc.string({ minLength: 1, unit: 'grapheme' })
const textField = fc.oneof(
  fc.constantFrom(...filterFields.filter(({ kind }) => kind === 'text').map(({ name }) => name)),
  key.map((name) => `metadata.${name}`),
)
const numberField = fc.oneof(
  fc.constantFrom(
    ...filterFields
      .filter(({ kind }) => kind !== 'text' && kind !== 'flag' && kind !== 'score')
      .map(({ name }) => name),
  ),
)
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const operator = fc.constantFrom('>', '>=', '<', '<=', '=' as const)
const clause: fc.Arbitrary<Clause> = fc.oneof(
  fc
    .string({ minLength: 1, unit: 'grapheme' })
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => ({ type: 'words' as const, text })),
  fc.record(
    {
      type: fc.constant('values' as const),
      field: textField,
      values: fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 }),
      isNot: fc.boolean(),
    },
    { noNullPrototype: true },
  ),
  fc.record(
    {
      type: fc.constant('values' as const),
      field: fc.constantFrom('user', 'organization'),
      values: fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 }),
      isNot: fc.constant(false),
      isId: fc.constant(true as const),
    },
    { noNullPrototype: true },
  ),
  fc.record(
    {
      type: fc.constant('values' as const),
      field: fc.constant('hasError'),
      values: fc.constantFrom(['true'], ['false']),
      isNot: fc.constant(false),
    },
    { noNullPrototype: true },
  ),
  fc.record(
    { type: fc.constant('bound' as const), field: numberField, operator, value: finite },
    { noNullPrototype: true },
  ),
  fc.record(
    {
      type: fc.constant('bound' as const),
      field: key.map((name) => `score.${name}`),
      operator: fc.constantFrom('>', '>=', '<', '<=' as const),
      value: finite,
    },
    { noNullPrototype: true },
  ),
  fc.record(
    {
      type: fc.constant('presence' as const),
      field: fc.oneof(
        textField,
        numberField,
        key.map((name) => `score.${name}`),
      ),
      isThere: fc.boolean(),
    },
    { noNullPrototype: true },
  ),
)

describe('text and filter', () => {
  it('survive a round trip', () => {
    fc.assert(
      fc.property(fc.array(clause, { maxLength: 5 }), (clauses) => {
        assert.deepEqual(readFilter(writeFilter(clauses)), clauses)
      }),
    )
  })

  it('survive a round trip for any text, and the parts cover every character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const clauses = readFilter(text)
        assert.deepEqual(readFilter(writeFilter(clauses)), clauses)
        const parts = readParts(text)
        const spaced = parts.reduceRight(
          (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
          text,
        )
        assert.equal(spaced.trim(), '')
        for (const part of parts) assert.equal(text.slice(part.start, part.end), part.text)
      }),
    )
  })

  it('do so for texts of special characters, too', () => {
    const sign = fc.constantFrom(
      'model',
      'metadata.',
      'score.a',
      'cost',
      '"',
      '\\',
      ':',
      '>',
      '=',
      '-',
      ',',
      '*',
      ' ',
      '1',
      'a',
    )
    fc.assert(
      fc.property(
        fc.array(sign).map((signs) => signs.join('')),
        (text) => {
          const clauses = readFilter(text)
          assert.deepEqual(readFilter(clauses.map(writeClause).join(' ')), clauses)
        },
      ),
      propertyRuns(100),
    )
  })
})
