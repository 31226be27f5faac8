import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { estimateOf, newRunDraft, readHeaders, readRunDraft } from './run-draft.ts'

const ofPrompt = newRunDraft({
  datasetSlug: 'cases',
  promptSlug: 'greeting',
  version: '1.0.0',
  connectionId: 'c',
})

describe('a run that is planned', () => {
  it('becomes what is asked for', () => {
    assert.deepEqual(readRunDraft({ ...ofPrompt, model: ' gpt ', name: ' One ', spendMax: '2' }), {
      input: {
        datasetSlug: 'cases',
        target: { type: 'prompt', slug: 'greeting', version: '1.0.0', connectionId: 'c', model: 'gpt' },
        evaluatorSlugs: [],
        repetitions: 1,
        concurrency: 8,
        spendMax: 2,
        name: 'One',
      },
    })
    const endpoint = { kind: 'endpoint' as const, url: 'https://example.com/run', featureSlug: 'chat' }
    const read = readRunDraft({ ...ofPrompt, ...endpoint, headers: 'X-Key: a: b\n' })
    assert.deepEqual('input' in read && read.input.target, {
      type: 'endpoint',
      url: 'https://example.com/run',
      headers: { 'X-Key': 'a: b' },
    })
  })

  it('says what is missing first', () => {
    const problemOf = (patch: Partial<typeof ofPrompt>) => {
      const read = readRunDraft({ ...ofPrompt, ...patch })
      return 'problem' in read ? read.problem : undefined
    }
    assert.match(problemOf({ datasetSlug: undefined }) ?? '', /dataset/)
    assert.match(problemOf({ version: undefined }) ?? '', /version/)
    assert.match(problemOf({ connectionId: undefined }) ?? '', /connection/)
    assert.match(problemOf({ repetitions: '21' }) ?? '', /1 to 20/)
    assert.match(problemOf({ concurrency: '' }) ?? '', /1 to 64/)
    assert.match(problemOf({ spendMax: '-1' }) ?? '', /dollars/)
    assert.match(problemOf({ kind: 'endpoint', url: 'x' }) ?? '', /URL/)
    assert.match(problemOf({ kind: 'endpoint', url: 'https://a.b' }) ?? '', /feature/)
    assert.equal(readHeaders('no header'), undefined)
  })
})

describe('an estimate', () => {
  const usage = [
    { promptVersion: '1.0.0', logs: 10, cost: 1 },
    { promptVersion: '1.1.0', logs: 30, cost: 1 },
  ]

  it('goes by the version, else by the prompt, else tells nothing', () => {
    const estimateFor = (version: string, rows: readonly (typeof usage)[number][] = usage) =>
      estimateOf({ ...ofPrompt, version, repetitions: '3' }, 10, 2, rows)
    assert.deepEqual(estimateFor('1.0.0'), { cases: 30, judgements: 60, costUsd: 3, basis: 'version' })
    assert.deepEqual(estimateFor('2.0.0'), { cases: 30, judgements: 60, costUsd: 1.5, basis: 'prompt' })
    assert.equal(estimateFor('1.0.0', []).costUsd, undefined)
  })
})
