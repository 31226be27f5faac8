import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ServiceError } from '@plumbline/contract'
import fc from 'fast-check'
import { editDistance, similarityOf } from './edit-distance.ts'
import { firstMatch, RegexTooSlow } from './guarded-regex.ts'
import { type RuleKind, readRule } from './rule.ts'
import type { Subject } from './subject.ts'

const subject: Subject = {
  input: { question: 'Why?' },
  output: 'Because 42, please.',
  idealOutput: 'because 42, please.',
  metadata: { channel: 'web' },
  variables: {},
  context: [],
  logs: [],
  durationMs: 1200,
  cost: null,
  inputTokens: 10,
  outputTokens: 5,
}
const judge = (kind: RuleKind, config: object, fields: object = {}) =>
  readRule(kind, { ...config })({ ...subject, ...fields }).value

describe('rules', () => {
  const table: [kind: RuleKind, config: object, fields: object, value: boolean | number | null][] = [
    ['equals', {}, {}, false],
    ['equals', { ignoreCase: true }, {}, true],
    ['equals', { value: 'Why?', of: 'input', path: 'question' }, {}, true],
    ['equals', { value: { a: 1, b: [2] } }, { output: { b: [2], a: 1 } }, true],
    ['equals', {}, { idealOutput: null }, null],
    ['equals', {}, { output: null }, null],
    ['contains', { value: 'please' }, {}, true],
    ['contains', { value: 'PLEASE' }, {}, false],
    ['contains', { value: 'PLEASE', ignoreCase: true }, {}, true],
    ['contains', { value: '"b"' }, { output: { a: 'b' } }, true],
    ['contains', { value: 'web', of: 'metadata', path: 'channel' }, {}, true],
    ['contains', { value: 'x', path: 'gone' }, {}, null],
    ['contains', { value: 'y', path: 'a.0' }, { output: '{"a":["xyz"]}' }, true],
    ['regex', { pattern: '\\d{2}' }, {}, true],
    ['regex', { pattern: '^because', flags: 'i' }, {}, true],
    ['regex', { pattern: '^$' }, {}, false],
    ['regex', { pattern: '(a+)+$' }, { output: `${'a'.repeat(50)}!` }, null],
    ['not_contains', { value: 'sorry' }, {}, true],
    ['not_contains', { value: 'PLEASE', ignoreCase: true }, {}, false],
    ['not_contains', { value: 'x' }, { output: null }, null],
    ['starts_with', { value: 'Because' }, {}, true],
    ['starts_with', { value: 'please' }, {}, false],
    ['ends_with', { value: 'Please.', ignoreCase: true }, {}, true],
    ['ends_with', { value: 'Because' }, {}, false],
    ['json_valid', {}, {}, false],
    ['json_valid', {}, { output: '[1' }, false],
    ['json_valid', {}, { output: '[1]' }, true],
    ['json_valid', { type: 'object' }, { output: '[1]' }, false],
    ['json_valid', { type: 'object' }, { output: 'null' }, false],
    ['json_valid', { type: 'array' }, { output: [1] }, true],
    ['json_schema', { schema: { type: 'object', required: ['a'] } }, { output: '{"a":1}' }, true],
    ['json_schema', { schema: { type: 'object', required: ['a'] } }, { output: {} }, false],
    ['json_schema', { schema: { type: 'object' } }, {}, false],
    ['json_schema', { schema: { $ref: '#' } }, { output: {} }, null],
    [
      'json_schema',
      { schema: { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] } },
      { output: ['a', 1] },
      true,
    ],
    [
      'json_schema',
      {
        schema: { $schema: 'https://json-schema.org/draft/2019-09/schema', dependentRequired: { a: ['b'] } },
      },
      { output: { a: 1 } },
      false,
    ],
    ['json_schema', { schema: { pattern: '(a+)+$' } }, { output: `"${'a'.repeat(50)}!"` }, null],
    ['range', { max: 2000, measure: 'durationMs' }, {}, true],
    ['range', { max: 1, measure: 'cost' }, {}, null],
    ['range', { min: 16, measure: 'totalTokens' }, {}, false],
    ['range', { min: 1, max: 3 }, { output: '2.5' }, true],
    ['range', { min: 1 }, {}, null],
    ['range', { max: 3, measure: 'length' }, { output: '👍👍👍' }, true],
    ['length', { max: 19 }, {}, true],
    ['length', { min: 3, max: 3, unit: 'words' }, {}, true],
    ['length', { max: 1, unit: 'lines' }, { output: 'a\nb' }, false],
    ['length', { min: 4, max: 4, unit: 'words' }, { output: '東京です' }, true],
    ['latency', { maxMs: 1200 }, {}, true],
    ['latency', { maxMs: 1199 }, {}, false],
    ['latency', { maxMs: 1 }, { durationMs: null }, null],
    ['cost', { maxUsd: 0.01 }, { cost: 0.01 }, true],
    ['cost', { maxUsd: 0 }, { cost: 0.01 }, false],
    ['cost', { maxUsd: 1 }, {}, null],
    ['rouge_l', { value: 'please, because 42' }, {}, 2 / 3],
    ['rouge_l', { value: ['nothing', 'Because: 42, please'] }, {}, 1],
    ['rouge_l', { threshold: 0.5 }, { idealOutput: 'no' }, false],
    ['bleu', {}, {}, 1],
    ['bleu', { threshold: 0.5 }, { output: 'something else' }, false],
    ['bleu', {}, { idealOutput: null }, null],
    ['similarity', { value: ['x', 'Because 42, please'] }, {}, 1 - 1 / 19],
    ['similarity', { value: 'kitten' }, { output: 'sitting' }, 1 - 3 / 7],
    ['similarity', { threshold: 0.9 }, {}, true],
    ['similarity', {}, { idealOutput: null }, null],
  ]
  for (const [kind, config, fields, value] of table) {
    it(`${kind} ${JSON.stringify(config)} of ${JSON.stringify(fields).slice(0, 60)} is ${value}`, () =>
      assert.equal(judge(kind, config, fields), value))
  }

  it('name the wrong field of a configuration', () => {
    const wrong: [kind: RuleKind, config: object, path: string][] = [
      ['contains', {}, 'config.value'],
      ['contains', { value: 5 }, 'config.value'],
      ['contains', { value: 'x', of: 'logs' }, 'config.of'],
      ['equals', { ignoreCase: 'yes' }, 'config.ignoreCase'],
      ['equals', { path: 5 }, 'config.path'],
      ['regex', { pattern: '(' }, 'config.pattern'],
      ['json_schema', {}, 'config.schema'],
      ['json_schema', { schema: { type: 'thing' } }, 'config.schema'],
      ['json_schema', { schema: { $async: true } }, 'config.schema.$async'],
      [
        'json_schema',
        { schema: { $schema: 'http://json-schema.org/draft-04/schema#' } },
        'config.schema.$schema',
      ],
      ['range', {}, 'config.min'],
      ['range', { min: 'x' }, 'config.min'],
      ['range', { min: 1, measure: 'mood' }, 'config.measure'],
      ['similarity', { threshold: 2 }, 'config.threshold'],
      ['similarity', { value: [] }, 'config.value'],
      ['not_contains', {}, 'config.value'],
      ['json_valid', { type: 'text' }, 'config.type'],
      ['length', {}, 'config.min'],
      ['length', { min: 1, unit: 'pages' }, 'config.unit'],
      ['latency', {}, 'config.maxMs'],
      ['cost', { maxUsd: -1 }, 'config.maxUsd'],
      ['language', {}, 'config.language'],
      ['language', { language: ['en', 'xx'] }, 'config.language'],
      ['pii', { types: ['shoe size'] }, 'config.types'],
      ['secrets', { types: [] }, 'config.types'],
      ['tool_calls', { expected: 5 }, 'config.expected'],
      ['tool_calls', { ordered: 1 }, 'config.ordered'],
    ]
    for (const [kind, config, path] of wrong) {
      assert.throws(
        () => readRule(kind, { ...config }),
        (error) => error instanceof ServiceError && error.message.startsWith(`${path}: `),
        `${kind} ${JSON.stringify(config)}`,
      )
    }
  })
})

describe('the edit distance', () => {
  // Wagner and Fischer, The String-to-String Correction Problem (1974), and the usual textbook example.
  it('is 3 from kitten to sitting, and counts characters, not code units', () => {
    assert.equal(editDistance('kitten', 'sitting'), 3)
    assert.equal(editDistance('', 'abc'), 3)
    assert.equal(editDistance('👍a', '👎a'), 1)
  })

  it('is a metric', () => {
    const text = fc.string({ maxLength: 12 })
    fc.assert(
      fc.property(text, text, text, (first, second, third) => {
        assert.equal(editDistance(first, first), 0)
        assert.equal(editDistance(first, second), editDistance(second, first))
        assert.ok(editDistance(first, third) <= editDistance(first, second) + editDistance(second, third))
        assert.ok(similarityOf(first, second) >= 0 && similarityOf(first, second) <= 1)
      }),
    )
  })
})

describe('a match', () => {
  it('that takes too long is interrupted', () => {
    assert.throws(() => firstMatch('^(([a-z])+.)+[A-Z]([a-z])+$', '', 'a'.repeat(60)), RegexTooSlow)
    assert.equal(firstMatch('b+', '', 'abbc'), 'bb')
  })
})
