import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { isInShare } from '@plumbline/contract/rollout-draw'
import {
  makeLivePrompt,
  makePrompt,
  makeVersion,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { list, get, create, update, promote, rollback, compare } = operations.rollouts
const { prompts, monitor, scores } = operations
const { app, newWorkspace } = await startTestApp()

/** The prompt `greeting`: 1.0.0 in production, and 1.0.1. */
async function withVersions(): Promise<TestWorkspace> {
  const workspace = await newWorkspace()
  await makeLivePrompt(workspace, { text: 'one' })
  await makeVersion(workspace, { text: 'two' })
  return workspace
}

const begin = async (workspace: TestWorkspace, fields: object = {}) =>
  (await workspace.ok(create, { promptSlug: 'greeting', candidateVersion: '1.0.1', share: 0.5, ...fields }))
    .rollout

const keys = Array.from({ length: 200 }, (_, index) => `user ${index}`)
const getServed = async (workspace: TestWorkspace, targetingKey?: string) =>
  workspace.ok(prompts.get, { slug: 'greeting', ...(targetingKey === undefined ? {} : { targetingKey }) })

describe('rollouts.create', () => {
  it('201: serves the candidate to its share from now on, under the requested tag', async () => {
    const workspace = await withVersions()
    const before = await getServed(workspace)
    const rollout = await begin(workspace)
    assert.deepEqual(
      [rollout.tag, rollout.baselineVersion, rollout.status, rollout.createdByName],
      ['production', '1.0.0', 'running', 'Test'],
    )
    for (const key of keys) {
      const { prompt, warning, rollout: servedRollout } = await getServed(workspace, key)
      const version = isInShare(rollout, key) ? '1.0.1' : '1.0.0'
      assert.deepEqual([prompt.version, prompt.tag, warning], [version, 'production', undefined])
      assert.deepEqual(servedRollout, { id: rollout.id, share: 0.5, candidateVersion: '1.0.1' })
    }
    assert.deepEqual((await getServed(workspace)).prompt, before.prompt)
    const namedReference = {
      slug: 'greeting',
      version: '1.0.0',
      targetingKey: keys.find((key) => isInShare(rollout, key)),
    }
    const pinned = await workspace.ok(prompts.get, namedReference)
    assert.deepEqual([pinned.prompt.version, pinned.rollout], ['1.0.0', undefined])
  })

  it('400: the share is outside 0 to 1, the tag is latest, or the candidate has the tag', async () => {
    const workspace = await withVersions()
    const refusalOf = (fields: object) =>
      workspace.refused(
        create,
        { promptSlug: 'greeting', candidateVersion: '1.0.1', share: 0.5, ...fields },
        400,
      )
    assert.match(await refusalOf({ share: 1.1 }), /^share: /)
    assert.match(await refusalOf({ tag: 'latest' }), /^tag: must not be "latest"/)
    assert.match(
      await refusalOf({ candidateVersion: '1.0.0' }),
      /^candidateVersion: must not be the version that already has/,
    )
  })

  it('404: the prompt, version or alert does not exist, or no version carries the tag', async () => {
    const workspace = await withVersions()
    const refusalOf = (fields: object) =>
      workspace.refused(
        create,
        { promptSlug: 'greeting', candidateVersion: '1.0.1', share: 0.5, ...fields },
        404,
      )
    assert.equal(await refusalOf({ promptSlug: 'nobody' }), 'No prompt has the slug "nobody".')
    assert.equal(await refusalOf({ candidateVersion: '9' }), 'The prompt "greeting" has no version "9".')
    assert.equal(
      await refusalOf({ tag: 'canary' }),
      'The prompt "greeting" has no version with the tag "canary".',
    )
    assert.equal(await refusalOf({ alertIds: ['nobody'] }), 'No alert has the id "nobody".')
  })

  it('409: the tag already has a running rollout', async () => {
    const workspace = await withVersions()
    await begin(workspace)
    const again = { promptSlug: 'greeting', candidateVersion: '1.0.1', share: 0.1 }
    const sentence = await workspace.refused(create, again, 409)
    assert.equal(sentence, 'There is already a rollout of the tag "production".')
  })
})

describe('rollouts.update', () => {
  it('200: grows without moving any key back, and records the shares', async () => {
    const workspace = await withVersions()
    const { id } = await begin(workspace, { share: 0.1 })
    let participants = new Set<string>()
    for (const share of [0.1, 0.3, 0.3, 1]) {
      await workspace.ok(update, { id, share })
      const now = new Set<string>()
      for (const key of keys) if ((await getServed(workspace, key)).prompt.version === '1.0.1') now.add(key)
      assert.ok([...participants].every((key) => now.has(key)) && now.size >= participants.size)
      participants = now
    }
    assert.equal(participants.size, keys.length)
    const { rollout } = await workspace.ok(get, { id })
    assert.deepEqual(
      rollout.shares.map(({ share, changedByName }) => [share, changedByName]),
      [
        [1, 'Test'],
        [0.3, 'Test'],
        [0.1, 'Test'],
      ],
    )
    await workspace.ok(update, { id, share: 0 })
    for (const key of keys.slice(0, 20))
      assert.equal((await getServed(workspace, key)).prompt.version, '1.0.0')
  })

  it('400, 404: the share is invalid, or the rollout or alert does not exist', async () => {
    const workspace = await withVersions()
    const { id } = await begin(workspace)
    assert.match(await workspace.refused(update, { id, share: -1 }, 400), /^share: /)
    await workspace.refused(update, { id: 'nobody', share: 0.1 }, 404)
    await workspace.refused(update, { id, alertIds: ['nobody'] }, 404)
  })

  it('409: the rollout has ended', async () => {
    const workspace = await withVersions()
    const { id } = await begin(workspace)
    await workspace.ok(rollback, { id })
    const sentence = await workspace.refused(update, { id, share: 0.1 }, 409)
    assert.equal(sentence, `The rollout "${id}" has ended: it was rolled back.`)
  })
})

describe('rollouts.promote', () => {
  it('200: moves the tag to the candidate for everyone, and the history shows it', async () => {
    const workspace = await withVersions()
    const { id } = await begin(workspace, { share: 0.1 })
    const { rollout } = await workspace.ok(promote, { id })
    assert.deepEqual([rollout.status, rollout.endedByName], ['promoted', 'Test'])
    for (const key of [undefined, ...keys.slice(0, 20)]) {
      const answer = await getServed(workspace, key)
      assert.deepEqual([answer.prompt.version, answer.rollout], ['1.0.1', undefined])
    }
    const { moves } = await workspace.ok(prompts.history, { slug: 'greeting' })
    const { tag, from, to } = moves[0]!
    assert.deepEqual([tag, from, to], ['production', '1.0.0', '1.0.1'])
  })

  it('404, 409: the rollout does not exist, or has ended', async () => {
    const workspace = await withVersions()
    await workspace.refused(promote, { id: 'nobody' }, 404)
    const { id } = await begin(workspace)
    await workspace.ok(promote, { id })
    assert.match(await workspace.refused(promote, { id }, 409), /it was promoted\.$/)
  })
})

describe('rollouts.rollback', () => {
  it("200: serves the tag's version to everyone again, and gives the reason", async () => {
    const workspace = await withVersions()
    const { id } = await begin(workspace, { share: 1 })
    assert.equal((await getServed(workspace, 'ada')).prompt.version, '1.0.1')
    const { rollout } = await workspace.ok(rollback, { id, reason: 'It is rude.' })
    assert.deepEqual([rollout.status, rollout.reason], ['rolled_back', 'It is rude.'])
    assert.equal((await getServed(workspace, 'ada')).prompt.version, '1.0.0')
  })

  it('if a promotion and rollbacks run concurrently, one succeeds and the others get an error', async () => {
    const workspace = await withVersions()
    const { id } = await begin(workspace)
    const ends = [promote, rollback, promote, rollback].map((operation) => workspace.call(operation, { id }))
    const statuses = (await Promise.all(ends)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 409, 409, 409])
  })

  it('400, 404, 409: the reason is too long, the rollout does not exist, or it has ended', async () => {
    const workspace = await withVersions()
    const { id } = await begin(workspace)
    assert.match(await workspace.refused(rollback, { id, reason: 'x'.repeat(1001) }, 400), /^reason: /)
    await workspace.refused(rollback, { id: 'nobody' }, 404)
    await workspace.ok(rollback, { id })
    await workspace.refused(rollback, { id }, 409)
  })
})

describe('rollouts.list and rollouts.get', () => {
  it('200: return the latest first, by prompt and status, in pages; nothing of another workspace', async () => {
    const workspace = await withVersions()
    await makePrompt(workspace, { slug: 'other' })
    const first = await begin(workspace)
    await workspace.ok(rollback, { id: first.id })
    const second = await begin(workspace)
    const ids = async (input: object) => (await workspace.ok(list, input)).rollouts.map(({ id }) => id)
    assert.deepEqual(await ids({}), [second.id, first.id])
    assert.deepEqual(await ids({ status: 'rolled_back' }), [first.id])
    assert.deepEqual(await ids({ promptSlug: 'other' }), [])
    const { nextCursor } = await workspace.ok(list, { limit: 1 })
    assert.deepEqual(await ids({ limit: 1, cursor: nextCursor }), [first.id])
    assert.deepEqual((await workspace.ok(get, { id: second.id })).rollout, second)
    await (await newWorkspace()).refused(get, { id: second.id }, 404)
  })

  it('400: the cursor belongs to another list, or the status is invalid', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(list, { cursor: 'x' }, 400), /^cursor: /)
    assert.match(await workspace.refused(list, { status: 'x' }, 400), /^status: /)
  })
})

describe('rollouts.compare', () => {
  it('200: has both versions since the start, with the difference and its interval', async () => {
    const workspace = await withVersions()
    const call = async (version: string, cost: number, user: string, isGood: boolean) => {
      const generation = { id: 'g', type: 'generation', prompt: { slug: 'greeting', version }, cost }
      const { trace } = await workspace.ok(monitor.trace, {
        user: { id: user, name: user },
        logs: [generation],
      })
      await workspace.ok(scores.create, { traceId: trace.id, name: 'good', value: isGood })
    }
    await call('1.0.0', 100, 'before', false)
    const { id } = await begin(workspace)
    for (let index = 0; index < 6; index++) {
      await call('1.0.0', 1 + index / 10, `a${index}`, index < 2)
      await call('1.0.1', 2 + index / 10, `b${index}`, true)
    }
    await app.flush()
    const { baseline, candidate, measures } = await workspace.ok(compare, { id })
    assert.deepEqual([baseline.calls, candidate.calls, candidate.users], [6, 6, 6])
    const measuresByName = Object.fromEntries(measures.map((measure) => [measure.name, measure]))
    const { cost, errorRate } = measuresByName
    assert.deepEqual([cost?.baseline?.mean, cost?.candidate?.mean], [1.25, 2.25])
    const { low, high } = cost?.difference ?? {}
    assert.ok(low! > 0.7 && high! < 1.3)
    assert.deepEqual([errorRate?.baseline?.mean, errorRate?.difference?.value], [0, 0])
    const { baseline: before, candidate: after, difference, isShare } = measuresByName['score.good']!
    assert.deepEqual([before?.count, after?.mean, isShare], [6, 1, true])
    assert.ok(Math.abs(difference!.value - 2 / 3) < 1e-12 && difference!.low! > 0 && difference!.high! <= 1)
  })

  it('200: is empty before anything was recorded, and with a later start time', async () => {
    const workspace = await withVersions()
    const { id } = await begin(workspace)
    const { baseline, measures } = await workspace.ok(compare, { id, from: '2100-01-01T00:00:00Z' })
    assert.deepEqual([baseline.calls, baseline.p50DurationMs], [0, null])
    assert.deepEqual(
      measures.map(({ name, difference }) => [name, difference]),
      ['cost', 'durationMs', 'errorRate', 'tokens'].map((name) => [name, null]),
    )
  })

  it('400, 404: the time is invalid, or the rollout does not exist', async () => {
    const workspace = await withVersions()
    const { id } = await begin(workspace)
    assert.match(await workspace.refused(compare, { id, from: 'x' }, 400), /^from: /)
    await workspace.refused(compare, { id: 'nobody' }, 404)
  })
})
