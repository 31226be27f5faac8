import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import fc from 'fast-check'
import { eventually } from '../../../fixtures/eventually.ts'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import { makePrompt, makeVersion } from '../../../server/testing/test-app.ts'
import { createClient } from '../index.ts'
import { render } from '../render.ts'
import { fates, startProxy, startService } from '../testing.ts'

const { url, workspace } = await startService()
const proxy = await startProxy(url)
const apiKey = workspace.key.secret
const { rollouts, prompts } = operations

/** A prompt with a rollout of its second version. */
async function withRollout(slug: string, share: number): Promise<string> {
  await makePrompt(workspace, { slug })
  await makeVersion(workspace, { slug, text: 'old {{ name }}', tags: ['production'] })
  await makeVersion(workspace, { slug, text: 'new {{ name }}' })
  const newRollout = { promptSlug: slug, candidateVersion: '1.0.1', share }
  return (await workspace.ok(rollouts.create, newRollout)).rollout.id
}

it('the client serves each key the same version as the service, with two requests in all', async () => {
  await withRollout('shared', 0.37)
  const plumbline = createClient({ baseUrl: proxy.url, apiKey })
  await plumbline.prompt('shared', { targetingKey: 'warm' })
  const from = proxy.requests.length
  const servedVersions = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (targetingKey) => {
      const mine = await plumbline.prompt('shared', { targetingKey })
      const theirs = await workspace.ok(prompts.get, { slug: 'shared', targetingKey })
      assert.deepEqual(mine, theirs)
      assert.deepEqual(await plumbline.prompt('shared', { targetingKey, tag: 'production' }), theirs)
      servedVersions.add(mine.prompt.version)
    }),
    propertyRuns(20),
  )
  assert.deepEqual([...servedVersions].toSorted(), ['1.0.0', '1.0.1'])
  const paths = proxy.requests.slice(from).map(({ path }) => path)
  assert.deepEqual(new Set(paths).size, paths.length)
})

it('without a targeting key, or with a version, the rollout has no effect', async () => {
  await withRollout('plain', 1)
  const plumbline = createClient({ baseUrl: url, apiKey })
  assert.equal((await plumbline.prompt('plain')).prompt.version, '1.0.0')
  const pinned = await plumbline.prompt('plain', { version: '1.0.0', targetingKey: 'ada' })
  assert.equal(pinned.prompt.version, '1.0.0')
})

it('generations that used a candidate name its version', async () => {
  await withRollout('recorded', 1)
  const plumbline = createClient({ baseUrl: url, apiKey, render })
  const { prompt, messages } = await plumbline.prompt('recorded', {
    targetingKey: 'ada',
    variables: { name: 'Ada' },
  })
  assert.deepEqual(messages, [{ role: 'user', content: 'new Ada' }])
  const trace = plumbline.trace({ user: { id: 'ada', name: 'Ada' } })
  trace.generation({ prompt, input: messages }).end({ output: 'Hi' })
  trace.end()
  const recorded = await trace.recorded()
  const { trace: storedTrace } = await plumbline.traces.get({ id: recorded!.trace.id })
  assert.equal(storedTrace.warning, null)
  assert.deepEqual((storedTrace.logs[1] as { promptVersion?: string }).promptVersion, '1.0.1')
  await plumbline.close()
})

it('a rollout that ends reaches a running client, at the first call after the time to live', async () => {
  const id = await withRollout('ending', 1)
  const plumbline = createClient({ baseUrl: url, apiKey, promptTtlMs: 0 })
  assert.equal((await plumbline.prompt('ending', { targetingKey: 'ada' })).prompt.version, '1.0.1')
  await workspace.ok(rollouts.rollback, { id })
  const { prompt, rollout } = await plumbline.prompt('ending', { targetingKey: 'ada' })
  assert.deepEqual([prompt.version, rollout], ['1.0.0', undefined])
})

it('while the service does not respond, the candidate is still served, and only an occasional call waits a second', async () => {
  await withRollout('away', 1)
  const errors: Error[] = []
  const options = {
    apiKey,
    promptTtlMs: 0,
    timeoutMs: 1500,
    onError: (error: Error) => void errors.push(error),
  }
  const plumbline = createClient({ baseUrl: proxy.url, ...options })
  const version = async () => (await plumbline.prompt('away', { targetingKey: 'ada' })).prompt.version
  assert.equal(await version(), '1.0.1')
  proxy.fate(fates.hang)
  const from = proxy.requests.length
  for (let each = 0; each < 20; each++) assert.equal(await version(), '1.0.1')
  await eventually(async () => assert.ok(errors.length > 0))
  // One request for the tag, and one for the version.
  assert.ok(proxy.requests.length - from <= 2)
  proxy.fate(fates.pass)
})

it('if a candidate cannot be fetched, the version with the tag is served, and the error is reported', async () => {
  await withRollout('half', 1)
  const errors: Error[] = []
  const plumbline = createClient({ baseUrl: proxy.url, apiKey, onError: (error) => void errors.push(error) })
  proxy.fate(fates.breakOff, fates.pass)
  assert.equal((await plumbline.prompt('half', { targetingKey: 'ada' })).prompt.version, '1.0.0')
  assert.equal(errors.length, 1)
  proxy.fate(fates.pass)
  assert.equal((await plumbline.prompt('half', { targetingKey: 'ada' })).prompt.version, '1.0.1')
})
