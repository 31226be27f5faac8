import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlreadyExists, NotFound } from '../errors.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')

forEachControlStore('experiments', (open) => {
  test('an experiment is found by its id, in its workspace only', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    await workspace.features.create({ slug: 'chat', name: 'Chat' }, now)
    const created = await workspace.experiments.create({ name: 'Shorter', featureSlug: 'chat' }, now)
    assert.deepEqual(created, { id: created.id, name: 'Shorter', featureSlug: 'chat', createdAt: now })
    assert.deepEqual(await workspace.experiments.find(created.id), created)
    assert.equal(await other.experiments.find(created.id), undefined)
    assert.deepEqual(await other.experiments.list(), { items: [] })
  })

  test('the list can be limited to one feature', async () => {
    const { workspace } = await open()
    for (const slug of ['chat', 'mail']) {
      await workspace.features.create({ slug, name: slug }, now)
      await workspace.experiments.create({ name: slug, featureSlug: slug }, now)
    }
    const { items } = await workspace.experiments.list({ featureSlug: 'mail' })
    assert.deepEqual(
      items.map(({ name }) => name),
      ['mail'],
    )
  })

  test('an experiment with a unique name is created once, with its feature', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    const chat = { featureSlug: 'chat', featureName: 'Chat', name: 'Shorter' }
    assert.equal(await workspace.experiments.findNamed(chat), undefined)
    const first = await workspace.experiments.createNamed(chat, now)
    await assert.rejects(
      workspace.experiments.createNamed({ ...chat, featureName: 'Other' }, now),
      AlreadyExists,
    )
    assert.deepEqual(await workspace.experiments.findNamed(chat), first)
    assert.equal((await workspace.features.find('chat'))?.name, 'Chat')
    const longer = await workspace.experiments.createNamed({ ...chat, name: 'Longer' }, now)
    assert.notEqual(longer.id, first.id)
    assert.notEqual((await other.experiments.createNamed(chat, now)).id, first.id)
    assert.equal((await workspace.experiments.list()).items.length, 2)
  })

  test('an experiment of a feature that does not exist, or belongs to another workspace, is refused', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    await other.features.create({ slug: 'theirs', name: 'Theirs' }, now)
    for (const featureSlug of ['unknown', 'theirs']) {
      await assert.rejects(workspace.experiments.create({ name: 'E', featureSlug }, now), NotFound)
    }
  })
})
