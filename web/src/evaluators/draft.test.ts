import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Evaluator } from '@plumbline/sdk'
import { draftOf, newDraft, readPercent, readTexts, shownFields, slugFor } from './draft.ts'
import { type Kind, kindNames } from './kinds.ts'

const evaluator = (kind: Kind, config: Evaluator['config']): Evaluator => ({
  slug: 'one',
  name: 'One',
  kind,
  config,
  sampleRate: 0.07,
  version: 1,
  createdAt: '2024-01-01T00:00:00Z',
})

describe('a draft', () => {
  it('makes the configuration again that it was read from', () => {
    const configs: Partial<Record<Kind, Evaluator['config']>> = {
      equals: { of: 'output', value: 'Paris', ignoreCase: true },
      contains: { value: 'as short as can be' },
      regex: { of: 'metadata', path: 'a.b', pattern: '^x$', flags: 'i' },
      json_schema: { of: 'output', schema: { type: 'object' } },
      range: { measure: 'cost', max: 0.5 },
      llm: {
        template: 'Is {{ output }} right?',
        connectionId: 'c1',
        model: 'gpt-4o',
        verdict: { type: 'categorical', choices: ['good', 'bad'] },
        seed: 7,
      },
      embedding_similarity: {
        connectionId: 'c1',
        model: 'text-embedding-3-small',
        of: 'output',
        value: ['yes', 'of course'],
        threshold: -0.5,
      },
      bleu: { of: 'output', value: '[not a list' },
      human: {
        rubric: '# Kindness',
        verdict: { type: 'numeric', min: 1, max: 5, points: [{ value: 5, label: 'kind: very' }] },
      },
    }
    for (const [kind, config] of Object.entries(configs) as [Kind, Evaluator['config']][]) {
      const draft = draftOf(evaluator(kind, config))
      assert.equal(draft.percent, '7')
      assert.deepEqual(readTexts(kind, draft.texts, draft.rest), { config, problems: {} })
    }
  })

  it('says of each field what is missing or wrong', () => {
    assert.deepEqual(Object.keys(readTexts('contains', {}).problems), ['value'])
    assert.match(readTexts('range', {}).problems.min ?? '', /required/)
    assert.match(readTexts('range', { min: 'x' }).problems.min ?? '', /number/)
    assert.match(readTexts('similarity', { threshold: '2' }).problems.threshold ?? '', /from 0 to 1/)
    assert.match(readTexts('json_schema', { schema: '{' }).problems.schema ?? '', /not valid JSON/)
    const points = { 'verdict.type': 'numeric', 'verdict.points': '5: good\nbad' }
    assert.match(readTexts('human', points).problems['verdict.points'] ?? '', /not a number .* “bad”/)
  })

  it('asks only for what counts', () => {
    const names = (texts: Record<string, string>) => shownFields('llm', texts).map(({ name }) => name)
    assert.ok(!names({ 'verdict.type': 'boolean' }).includes('verdict.min'))
    assert.ok(names({ 'verdict.type': 'numeric' }).includes('verdict.min'))
  })

  it('of every kind can be begun', () => {
    for (const kind of kindNames) assert.equal(newDraft(kind).kind, kind)
  })
})

it('a slug is what one would have typed', () => {
  assert.deepEqual(['Äußerst höflich?', '  JSON ok ', '---'].map(slugFor), [
    'a-u-erst-ho-flich',
    'json-ok',
    '',
  ])
})

it('a percentage is a share from 0 to 1', () => {
  assert.deepEqual(['10', '', '101', '-1', 'x'].map(readPercent), [
    0.1,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
