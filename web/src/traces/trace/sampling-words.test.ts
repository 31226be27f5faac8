import assert from 'node:assert/strict'
import { it } from 'node:test'
import { samplingWords } from './sampling-words.ts'

it('what refers to no evaluator says nothing of being drawn', () => {
  assert.equal(samplingWords({ sampled: false, sampleRate: null, sampledBy: null }), undefined)
})

it('says what decided, and at which rate', () => {
  const by = (
    type: 'trace' | 'evaluator' | 'experiment' | 'client' | 'default',
    evaluatorSlug: string | null = null,
  ) => ({
    type,
    evaluatorSlug,
  })
  const words = (sampled: boolean, sampleRate: number | null, sampledBy: ReturnType<typeof by> | null) =>
    samplingWords({ sampled, sampleRate, sampledBy })
  assert.equal(
    words(true, 0.1, by('evaluator', 'kindness')),
    'Drawn to be judged: 10% of traces are, by the rate of kindness.',
  )
  assert.equal(words(false, 0.5, by('trace')), 'Not drawn to be judged: it asked for a rate of 50% itself.')
  assert.equal(words(true, 1, by('experiment')), 'Drawn to be judged: traces of experiments always are.')
  assert.match(words(false, null, by('client')) ?? '', /^Not drawn .* by itself\.$/)
  assert.match(words(true, 0.1, by('default')) ?? '', /10% of traces are, since no evaluator/)
  assert.equal(words(false, 0.1, null), 'Not drawn to be judged: 10% of traces are drawn.')
})
