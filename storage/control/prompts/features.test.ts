import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlreadyExists } from '../errors.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')

forEachControlStore('features', (open) => {
  test('a feature is found by its slug, and an unknown slug finds none', async () => {
    const { workspace } = await open()
    const created = await workspace.features.create(
      { slug: 'chat', name: 'Chat', description: 'Talks.' },
      now,
    )
    assert.deepEqual(created, { slug: 'chat', name: 'Chat', description: 'Talks.', createdAt: now })
    assert.deepEqual(await workspace.features.find('chat'), created)
    assert.equal(await workspace.features.find('other'), undefined)
  })

  test('features are listed oldest first', async () => {
    const { workspace } = await open()
    await workspace.features.create({ slug: 'b', name: 'B' }, new Date(2_000))
    await workspace.features.create({ slug: 'c', name: 'C' }, new Date(1_000))
    await workspace.features.create({ slug: 'a', name: 'A' }, new Date(2_000))
    const slugs = (await workspace.features.list()).map(({ slug }) => slug)
    assert.deepEqual(slugs, ['c', 'a', 'b'])
  })

  test('a slug in use is refused as already existing', async () => {
    const { workspace } = await open()
    await workspace.features.create({ slug: 'chat', name: 'Chat' }, now)
    await assert.rejects(workspace.features.create({ slug: 'chat', name: 'Again' }, now), (error) => {
      assert.ok(error instanceof AlreadyExists)
      assert.equal(error.table, 'features')
      return true
    })
    assert.equal((await workspace.features.find('chat'))?.name, 'Chat')
  })

  test('another workspace does not see a feature and may use its slug', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    await workspace.features.create({ slug: 'chat', name: 'Chat' }, now)
    assert.equal(await other.features.find('chat'), undefined)
    assert.deepEqual(await other.features.list(), [])
    await other.features.create({ slug: 'chat', name: 'Theirs' }, now)
    assert.equal((await workspace.features.find('chat'))?.name, 'Chat')
  })

  test('a character that PostgreSQL cannot store is replaced on both engines', async () => {
    const { workspace } = await open()
    const name = 'a\0b \uD800 ünïcode 👩‍👩‍👧'
    await workspace.features.create({ slug: 'odd', name }, now)
    assert.equal((await workspace.features.find('odd'))?.name, 'a\uFFFDb \uFFFD ünïcode 👩‍👩‍👧')
  })
})
