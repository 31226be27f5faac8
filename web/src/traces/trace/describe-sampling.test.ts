import assert from 'node:assert/strict'
import { it } from 'node:test'
import { describeSampling } from './describe-sampling.ts'

it('a trace without evaluators has no sampling description', () => {
  assert.equal(describeSampling({ sampled: false, sampleRate: null, sampledBy: null }), undefined)
})

it('states the deciding factor and the rate', () => {
  const reasonOf = (
    type: 'trace' | 'evaluator' | 'experiment' | 'client' | 'default',
    evaluatorSlug: string | null = null,
  ) => ({
    type,
    evaluatorSlug,
  })
  const words = (
    isSampled: boolean,
    sampleRate: number | null,
    sampledBy: ReturnType<typeof reasonOf> | null,
  ) => describeSampling({ sampled: isSampled, sampleRate, sampledBy })
  assert.equal(
    words(true, 0.1, reasonOf('evaluator', 'kindness')),
    'Sampled for evaluation: the rate of kindness is 10%.',
  )
  assert.equal(
    words(false, 0.5, reasonOf('trace')),
    'Not sampled for evaluation: the trace set a rate of 50%.',
  )
  assert.equal(words(true, 1, reasonOf('experiment')), 'Sampled for evaluation, like all experiment traces.')
  assert.match(words(false, null, reasonOf('client')) ?? '', /^Not sampled .* OpenTelemetry client\.$/)
  assert.match(words(true, 0.1, reasonOf('default')) ?? '', /the default rate is 10%, because no evaluator/)
  assert.equal(words(false, 0.1, null), 'Not sampled for evaluation: the rate is 10%.')
})
