import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlreadyExists, NotFound, RolloutEnded } from '../errors.ts'
import { forEachControlStore, type OpenedWorkspace } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-01T13:00:00Z')
const newRollout = {
  promptSlug: 'greeting',
  tag: 'production',
  candidateVersion: '2',
  alertIds: [],
  startedBy: 'ada',
}

/** A prompt whose first version is in production, and a second one. */
async function withPrompt({ workspace }: OpenedWorkspace): Promise<OpenedWorkspace['workspace']> {
  await workspace.prompts.create({ slug: 'greeting', name: 'Greeting' }, now)
  const version = { slug: 'greeting', text: 'Hi', model: '{}' }
  await workspace.promptVersions.create({ ...version, version: '1', tags: ['production'] }, now)
  await workspace.promptVersions.create({ ...version, version: '2' }, now)
  await workspace.promptVersions.create({ ...version, version: '3' }, now)
  return workspace
}

forEachControlStore('rollouts', (open) => {
  test('a rollout starts with its share, is served while it runs, and records who changed the share', async () => {
    const { prompts, rollouts } = await withPrompt(await open())
    const createdRollout = await rollouts.create({ ...newRollout, share: 0.1 }, now)
    assert.deepEqual(
      [createdRollout.status, createdRollout.baselineVersion, createdRollout.createdBy],
      ['running', '1', 'ada'],
    )
    await rollouts.update(createdRollout.id, { share: 0.5, changedBy: 'bob' }, later)
    await rollouts.update(createdRollout.id, { share: 0.5, changedBy: 'bob' }, later)
    const rollout = await rollouts.find(createdRollout.id)
    assert.deepEqual(rollout?.shares, [
      { share: 0.5, changedAt: later, changedBy: 'bob' },
      { share: 0.1, changedAt: now, changedBy: 'ada' },
    ])
    assert.deepEqual((await prompts.load('greeting'))?.rollouts, [
      { id: createdRollout.id, tag: 'production', candidateVersion: '2', share: 0.5 },
    ])
  })

  test('a missing prompt, tag or version is reported as such, and a tag has at most one rollout', async () => {
    const { rollouts } = await withPrompt(await open())
    const assertRefusal = (change: object, what: string) =>
      assert.rejects(
        rollouts.create({ ...newRollout, share: 0.1, ...change }, now),
        (error) => error instanceof NotFound && error.what === what,
      )
    await assertRefusal({ promptSlug: 'nobody' }, 'prompt')
    await assertRefusal({ tag: 'nobody' }, 'promptTag')
    await assertRefusal({ candidateVersion: '9' }, 'promptVersion')
    await assertRefusal({ alertIds: ['nobody'] }, 'alert')
    const both = await Promise.allSettled(
      [1, 2].map(() => rollouts.create({ ...newRollout, share: 0.1 }, now)),
    )
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    await assert.rejects(rollouts.create({ ...newRollout, share: 0.2 }, now), AlreadyExists)
  })

  test('the tag moves to the promoted candidate, and the history records who moved it', async () => {
    const { prompts, promptTags, rollouts } = await withPrompt(await open())
    const { id } = await rollouts.create({ ...newRollout, share: 0.1 }, now)
    const promoted = await rollouts.promote(id, 'bob', later)
    assert.deepEqual([promoted.status, promoted.endedAt, promoted.endedBy], ['promoted', later, 'bob'])
    const loaded = await prompts.load('greeting')
    assert.deepEqual([loaded?.tags.get('production'), loaded?.rollouts], ['2', []])
    const [move] = await promptTags.history('greeting')
    assert.deepEqual(move, { label: 'production', from: '1', to: '2', at: later, movedBy: 'bob' })
  })

  test('of several concurrent calls that end a rollout, one succeeds and the others get an error', async () => {
    const { prompts, rollouts } = await withPrompt(await open())
    const { id } = await rollouts.create({ ...newRollout, share: 0.1 }, now)
    const ends = await Promise.allSettled([
      rollouts.promote(id, 'a', later),
      rollouts.rollBack(id, { reason: 'slow', endedBy: 'b' }, later),
      rollouts.promote(id, 'c', later),
      rollouts.rollBack(id, { reason: 'dear', endedBy: 'd' }, later),
    ])
    const [ended, ...more] = ends.filter((each) => each.status === 'fulfilled')
    assert.deepEqual(more, [])
    for (const each of ends)
      assert.ok(each === ended || (each as { reason: unknown }).reason instanceof RolloutEnded)
    const rollout = await rollouts.find(id)
    assert.deepEqual(rollout, ended?.value)
    const carrier = (await prompts.load('greeting'))?.tags.get('production')
    assert.equal(carrier, rollout?.status === 'promoted' ? '2' : '1')
    await assert.rejects(rollouts.update(id, { share: 1, changedBy: 'a' }, later), RolloutEnded)
  })

  test('moving the tag by hand ends it: stopped, or promoted if it moves to the candidate', async () => {
    const { promptTags, promptVersions, rollouts } = await withPrompt(await open())
    const first = await rollouts.create({ ...newRollout, share: 0.1 }, now)
    await promptTags.publish({ slug: 'greeting', newTag: 'production', version: '3', movedBy: 'bob' }, later)
    const stopped = await rollouts.find(first.id)
    assert.deepEqual(
      [stopped?.status, stopped?.reason, stopped?.endedBy],
      ['stopped', 'The tag was moved to 3.', 'bob'],
    )
    const second = await rollouts.create({ ...newRollout, share: 0.1 }, now)
    assert.equal(second.baselineVersion, '3')
    await promptTags.publish({ slug: 'greeting', newTag: 'staging', version: '2' }, later)
    assert.equal((await rollouts.find(second.id))?.status, 'running')
    await promptTags.publish({ slug: 'greeting', newTag: 'production', version: '2' }, later)
    assert.equal((await rollouts.find(second.id))?.status, 'promoted')
    const third = await rollouts.create({ ...newRollout, candidateVersion: '1', share: 0.1 }, now)
    await promptVersions.create({ slug: 'greeting', text: 'x', model: '{}', tags: ['production'] }, later)
    assert.equal((await rollouts.find(third.id))?.status, 'stopped')
  })

  test('the list is latest first, by prompt and by status, in pages', async () => {
    const { rollouts } = await withPrompt(await open())
    const { id: first } = await rollouts.create({ ...newRollout, share: 0.1 }, now)
    await rollouts.rollBack(first, { reason: 'x', endedBy: 'a' }, later)
    const { id: second } = await rollouts.create({ ...newRollout, share: 0.1 }, later)
    const ids = async (query: object) => (await rollouts.list(query)).items.map(({ id }) => id)
    assert.deepEqual(await ids({}), [second, first])
    assert.deepEqual(await ids({ status: 'running' }), [second])
    assert.deepEqual(await ids({ promptSlug: 'nobody' }), [])
    const page = await rollouts.list({ limit: 1 })
    assert.deepEqual(await ids({ limit: 1, after: page.next }), [first])
  })
})

forEachControlStore('fetches of prompts', (open) => {
  test('add up by version, tag and key, and are deleted by the hour', async () => {
    const { promptFetches } = (await open()).workspace
    const fetch = {
      promptSlug: 'greeting',
      version: '1',
      tag: '',
      apiKeyId: 'k',
      count: 2,
      firstAt: now,
      lastAt: now,
    }
    await Promise.all([promptFetches.add([fetch]), promptFetches.add([{ ...fetch, lastAt: later }, fetch])])
    await promptFetches.add([
      { ...fetch, apiKeyId: 'other', tag: 'production' },
      { ...fetch, promptSlug: 'another' },
    ])
    const all = { promptSlug: 'greeting', from: now, to: new Date(later.getTime() + 1) }
    const [first, other] = await promptFetches.list(all)
    assert.deepEqual(first, { version: '1', tag: '', apiKeyId: 'k', count: 6, firstAt: now, lastAt: later })
    assert.deepEqual([other?.apiKeyId, other?.tag, other?.count], ['other', 'production', 2])
    await promptFetches.forgetBefore(later)
    assert.deepEqual(
      (await promptFetches.list(all)).map(({ count }) => count),
      [2],
    )
  })
})
