import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkRun, estimateOf, newRunDraft, readHeaders, toRunInput } from './run-draft.ts'

const ofPrompt = newRunDraft({
  datasetSlug: 'cases',
  promptSlug: 'greeting',
  version: '1.0.0',
  connectionId: 'c',
})

describe('a planned run', () => {
  it('becomes the request', () => {
    const asJson = (draft: typeof ofPrompt): unknown => JSON.parse(JSON.stringify(toRunInput(draft)))
    assert.deepEqual(asJson({ ...ofPrompt, model: ' gpt ', name: ' One ', spendMax: 2 }), {
      datasetSlug: 'cases',
      target: { type: 'prompt', slug: 'greeting', version: '1.0.0', connectionId: 'c', model: 'gpt' },
      evaluatorSlugs: [],
      repetitions: 1,
      concurrency: 8,
      spendMax: 2,
      name: 'One',
    })
    const endpoint = { kind: 'endpoint' as const, url: 'https://example.com/run', featureSlug: 'chat' }
    assert.deepEqual(toRunInput({ ...ofPrompt, ...endpoint, headers: 'X-Key: a: b\n' }).target, {
      type: 'endpoint',
      url: 'https://example.com/run',
      headers: { 'X-Key': 'a: b' },
    })
  })

  it('reports missing values by field', () => {
    const problemsOf = (patch: Partial<typeof ofPrompt>): readonly string[] =>
      checkRun({ ...ofPrompt, ...patch }).map(({ path }) => path)
    assert.deepEqual(problemsOf({}), [])
    assert.deepEqual(problemsOf({ datasetSlug: undefined, version: undefined, connectionId: undefined }), [
      'datasetSlug',
      'version',
      'connectionId',
    ])
    assert.deepEqual(problemsOf({ kind: 'endpoint', url: 'x', headers: 'no header' }), [
      'url',
      'headers',
      'featureSlug',
    ])
    assert.deepEqual(problemsOf({ kind: 'endpoint', url: 'https://a.b', featureSlug: 'chat' }), [])
    assert.equal(readHeaders('no header'), undefined)
  })
})

describe('an estimate', () => {
  const usage = [
    { promptVersion: '1.0.0', logs: 10, cost: 1 },
    { promptVersion: '1.1.0', logs: 30, cost: 1 },
  ]

  it('is based on the version, else on the prompt, else absent', () => {
    const estimateFor = (version: string, rows: readonly (typeof usage)[number][] = usage) =>
      estimateOf({ ...ofPrompt, version, repetitions: 3 }, 10, 2, rows)
    assert.deepEqual(estimateFor('1.0.0'), { cases: 30, judgements: 60, costUsd: 3, basis: 'version' })
    assert.deepEqual(estimateFor('2.0.0'), { cases: 30, judgements: 60, costUsd: 1.5, basis: 'prompt' })
    assert.equal(estimateFor('1.0.0', []).costUsd, undefined)
  })
})
