import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlreadyExists, NotFound } from '../errors.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')
const later = new Date('2026-03-02T12:00:00Z')
const model = '{}'

forEachControlStore('prompt versions', (open) => {
  async function openWithPrompt() {
    const { workspace } = await open()
    await workspace.prompts.create({ slug: 'p', name: 'P' }, now)
    const create = (version?: string, tags: string[] = []) =>
      workspace.promptVersions.create({ slug: 'p', text: '', model, tags, ...(version && { version }) }, now)
    return { workspace, create }
  }

  test('without a version the next patch of the highest is used', async () => {
    const { create } = await openWithPrompt()
    assert.equal((await create()).version, '1.0.0')
    assert.equal((await create('1.4.9')).version, '1.4.9')
    assert.equal((await create()).version, '1.4.10')
    assert.equal((await create('summer')).version, 'summer')
    assert.equal((await create()).version, '1.4.11')
  })

  test('versions created at once each get their own number', async () => {
    const { workspace, create } = await openWithPrompt()
    const created = await Promise.all(Array.from({ length: 8 }, () => create()))
    const expected = [0, 1, 2, 3, 4, 5, 6, 7].map((patch) => `1.0.${patch}`)
    assert.deepEqual(created.map(({ version }) => version).toSorted(), expected)
    const { items } = await workspace.promptVersions.list({ slug: 'p' })
    assert.deepEqual(
      items.map(({ version }) => version),
      expected.toReversed(),
    )
    assert.equal((await workspace.prompts.load('p'))?.tags.get('latest'), '1.0.7')
  })

  test('an existing version is refused, and the attempt leaves nothing behind', async () => {
    const { workspace, create } = await openWithPrompt()
    await create('1.0.0', ['production'])
    await create('1.0.1')
    await assert.rejects(create('1.0.0', ['production', 'staging']), AlreadyExists)
    assert.deepEqual((await workspace.prompts.find('p'))?.availableVersions, ['1.0.1', '1.0.0'])
    const { tags } = (await workspace.prompts.load('p'))!
    assert.deepEqual(
      tags,
      new Map([
        ['latest', '1.0.1'],
        ['production', '1.0.0'],
      ]),
    )
  })

  test('latest stays on the version created last, whatever its number', async () => {
    const { create } = await openWithPrompt()
    await create('2.0.0')
    assert.deepEqual((await create('1.5.0')).tags, ['latest'])
  })

  test('a version of an unknown prompt is refused', async () => {
    const { workspace } = await open()
    const created = workspace.promptVersions.create({ slug: 'unknown', text: '', model }, now)
    await assert.rejects(created, (error) => error instanceof NotFound && error.what === 'prompt')
  })

  test('publishing points a tag at a version, given directly or by another tag', async () => {
    const { workspace, create } = await openWithPrompt()
    await create('1.0.0')
    await create('1.0.1')
    const first = await workspace.promptTags.publish({ slug: 'p', newTag: 'staging', version: '1.0.0' }, now)
    assert.deepEqual(first, { id: first.id, label: 'staging', from: undefined, to: '1.0.0' })
    const second = await workspace.promptTags.publish({ slug: 'p', newTag: 'staging', tag: 'latest' }, later)
    assert.deepEqual(second, { id: first.id, label: 'staging', from: '1.0.0', to: '1.0.1' })
    assert.equal((await workspace.prompts.load('p'))?.tags.get('staging'), '1.0.1')
  })

  test('publishing an unknown prompt, version or tag is refused and names the missing one', async () => {
    const { workspace, create } = await openWithPrompt()
    await create('1.0.0')
    const isMissing = (what: string) => (error: unknown) => error instanceof NotFound && error.what === what
    const { publish } = workspace.promptTags
    await assert.rejects(
      publish({ slug: 'unknown', newTag: 'x', version: '1.0.0' }, now),
      isMissing('prompt'),
    )
    await assert.rejects(
      publish({ slug: 'p', newTag: 'x', version: '9.9.9' }, now),
      isMissing('promptVersion'),
    )
    await assert.rejects(publish({ slug: 'p', newTag: 'x', tag: 'unknown' }, now), isMissing('promptTag'))
  })

  test('every move of a tag is in the history, newest first, and publishing the same version is not a move', async () => {
    const { workspace, create } = await openWithPrompt()
    await create('1.0.0', ['production'])
    await create('1.0.1')
    await workspace.promptTags.publish(
      { slug: 'p', newTag: 'production', version: '1.0.1', movedBy: 'key' },
      later,
    )
    await workspace.promptTags.publish(
      { slug: 'p', newTag: 'production', version: '1.0.1', movedBy: 'key' },
      later,
    )
    assert.deepEqual(await workspace.promptTags.history('p'), [
      { label: 'production', from: '1.0.0', to: '1.0.1', at: later, movedBy: 'key' },
      { label: 'latest', from: '1.0.0', to: '1.0.1', at: now, movedBy: undefined },
      { label: 'production', from: undefined, to: '1.0.0', at: now, movedBy: undefined },
      { label: 'latest', from: undefined, to: '1.0.0', at: now, movedBy: undefined },
    ])
  })
})
