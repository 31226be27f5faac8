import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AlreadyExists, NotFound } from '../errors.ts'
import { forEachControlStore } from '../testing.ts'

const now = new Date('2026-03-01T12:00:00.123Z')
const later = new Date('2026-03-02T12:00:00Z')
const model = '{"provider":"open-ai"}'

forEachControlStore('prompts', (open) => {
  test('a new prompt is a draft without versions', async () => {
    const { workspace } = await open()
    await workspace.features.create({ slug: 'chat', name: 'Chat' }, now)
    const input = { slug: 'greet', name: 'Greet', description: 'Says hello.', featureSlug: 'chat' }
    const created = await workspace.prompts.create(input, now)
    assert.deepEqual(created, {
      ...input,
      status: 'draft',
      availableVersions: [],
      availableTags: [],
      createdAt: now,
      folder: undefined,
      archivedAt: undefined,
    })
    assert.deepEqual(await workspace.prompts.find('greet'), created)
    assert.deepEqual(await workspace.prompts.list(), { items: [created] })
  })

  test('a prompt with a version tagged production is live, and lists its versions newest first', async () => {
    const { workspace } = await open()
    await workspace.prompts.create({ slug: 'greet', name: 'Greet' }, now)
    await workspace.prompts.create({ slug: 'part', name: 'Part' }, now)
    await workspace.promptVersions.create({ slug: 'greet', text: 'a', model, tags: ['production'] }, later)
    await workspace.promptVersions.create({ slug: 'greet', text: 'b', model, version: 'spring' }, now)
    const summary = await workspace.prompts.find('greet')
    assert.equal(summary?.status, 'live')
    assert.deepEqual(summary?.availableVersions, ['spring', '1.0.0'])
    assert.deepEqual(summary?.availableTags, ['latest', 'production'])
    const { items } = await workspace.prompts.list()
    assert.deepEqual(
      new Set(items.map(({ slug, status }) => `${slug} ${status}`)),
      new Set(['greet live', 'part draft']),
    )
  })

  test('the list can be limited to one feature, and is empty for an unknown feature', async () => {
    const { workspace } = await open()
    await workspace.features.create({ slug: 'chat', name: 'Chat' }, now)
    await workspace.prompts.create({ slug: 'in', name: 'In', featureSlug: 'chat' }, now)
    await workspace.prompts.create({ slug: 'out', name: 'Out' }, now)
    const { items } = await workspace.prompts.list({ featureSlug: 'chat' })
    assert.deepEqual(
      items.map(({ slug }) => slug),
      ['in'],
    )
    assert.deepEqual(await workspace.prompts.list({ featureSlug: 'unknown' }), { items: [] })
  })

  test('a prompt of a feature that does not exist is refused', async () => {
    const { workspace } = await open()
    const created = workspace.prompts.create({ slug: 'p', name: 'P', featureSlug: 'unknown' }, now)
    await assert.rejects(created, (error) => error instanceof NotFound && error.what === 'feature')
    assert.equal(await workspace.prompts.find('p'), undefined)
  })

  test('a slug in use is refused', async () => {
    const { workspace } = await open()
    await workspace.prompts.create({ slug: 'p', name: 'P' }, now)
    await assert.rejects(workspace.prompts.create({ slug: 'p', name: 'Q' }, now), AlreadyExists)
  })

  test('an archived prompt leaves the list and can still be found and loaded', async () => {
    const { workspace } = await open()
    await workspace.prompts.create({ slug: 'p', name: 'P' }, now)
    await workspace.prompts.archive('p', now)
    await workspace.prompts.archive('p', later)
    assert.deepEqual(await workspace.prompts.list(), { items: [] })
    assert.deepEqual((await workspace.prompts.find('p'))?.archivedAt, now)
    assert.deepEqual((await workspace.prompts.load('p'))?.archivedAt, now)
    await assert.rejects(workspace.prompts.archive('unknown', now), NotFound)
  })

  test('loading a prompt returns every version and the version of each tag', async () => {
    const { workspace } = await open()
    await workspace.features.create({ slug: 'chat', name: 'Chat' }, now)
    await workspace.prompts.create({ slug: 'p', name: 'P', featureSlug: 'chat' }, now)
    const input = {
      systemText: 'Be kind.',
      model,
      variables: '[{"label":"name"}]',
      message: 'First.',
      createdBy: 'key',
    }
    const first = await workspace.promptVersions.create(
      { slug: 'p', text: 'Hi', ...input, tags: ['production'] },
      now,
    )
    await workspace.promptVersions.create({ slug: 'p', text: 'Hello', model }, later)
    const loaded = await workspace.prompts.load('p')
    assert.equal(loaded?.featureSlug, 'chat')
    assert.deepEqual(
      loaded?.tags,
      new Map([
        ['latest', '1.0.1'],
        ['production', '1.0.0'],
      ]),
    )
    assert.deepEqual(
      loaded?.versions.map(({ version, tags }) => [version, tags]),
      [
        ['1.0.1', ['latest']],
        ['1.0.0', ['production']],
      ],
    )
    const { id, ...rest } = loaded!.versions[1]!
    assert.equal(id, first.id)
    assert.deepEqual(rest, {
      version: '1.0.0',
      text: 'Hi',
      systemText: 'Be kind.',
      model,
      variables: '[{"label":"name"}]',
      message: 'First.',
      messages: undefined,
      config: undefined,
      tags: ['production'],
      createdAt: now,
      createdBy: 'key',
    })
    assert.equal(await workspace.prompts.load('unknown'), undefined)
  })

  test('another workspace can neither see, change nor publish a prompt', async () => {
    const { workspace } = await open()
    const { workspace: other } = await open()
    await workspace.prompts.create({ slug: 'p', name: 'P' }, now)
    await workspace.promptVersions.create({ slug: 'p', text: '', model }, now)
    assert.equal(await other.prompts.find('p'), undefined)
    assert.equal(await other.prompts.load('p'), undefined)
    assert.deepEqual(await other.prompts.list(), { items: [] })
    await assert.rejects(other.prompts.archive('p', now), NotFound)
    await assert.rejects(other.promptVersions.create({ slug: 'p', text: '', model }, now), NotFound)
    await assert.rejects(other.promptVersions.list({ slug: 'p' }), NotFound)
    await assert.rejects(
      other.promptTags.publish({ slug: 'p', newTag: 'x', version: '1.0.0' }, now),
      NotFound,
    )
    await assert.rejects(other.promptTags.history('p'), NotFound)
    assert.equal((await workspace.prompts.find('p'))?.archivedAt, undefined)
  })
})
