import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../../../fixtures/property-runs.ts'
import { forEachControlStore } from '../testing.ts'
import type { Page, PageKey } from './page.ts'

const times = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 })
const runs = propertyRuns(3)

forEachControlStore('pages', (open) => {
  test('a walk through prompts in pages of any size is the whole list, oldest first', async () => {
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 5 }), async (createdAt, limit) => {
        const { workspace } = await open()
        for (const [index, time] of createdAt.entries()) {
          await workspace.prompts.create({ slug: `p${index}`, name: 'P' }, new Date(time))
        }
        const { items, next } = await workspace.prompts.list()
        assert.equal(next, undefined)
        assert.deepEqual(
          items.map((prompt) => prompt.createdAt.getTime()),
          createdAt.toSorted((a, other) => a - other),
        )
        const walked = await walk(limit, (position) => workspace.prompts.list({ limit, ...position }))
        assert.deepEqual(walked, items)
      }),
      runs,
    )
  })

  test('a walk through experiments in pages of any size is the whole list, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 5 }), async (createdAt, limit) => {
        const { workspace } = await open()
        await workspace.features.create({ slug: 'f', name: 'F' }, new Date(0))
        for (const time of createdAt) {
          await workspace.experiments.create({ name: 'E', featureSlug: 'f' }, new Date(time))
        }
        const { items } = await workspace.experiments.list()
        assert.deepEqual(
          items.map((experiment) => experiment.createdAt.getTime()),
          createdAt.toSorted((a, other) => other - a),
        )
        const walked = await walk(limit, (position) => workspace.experiments.list({ limit, ...position }))
        assert.deepEqual(walked, items)
      }),
      runs,
    )
  })

  test('a walk through versions in pages of any size is the whole list, newest first', async () => {
    const { workspace } = await open()
    await workspace.prompts.create({ slug: 'p', name: 'P' }, new Date(0))
    for (const time of [5, 5, 3, 9, 1, 1, 7]) {
      await workspace.promptVersions.create({ slug: 'p', text: '', model: '{}' }, new Date(time))
    }
    const { items } = await workspace.promptVersions.list({ slug: 'p' })
    assert.deepEqual(
      items.map(({ version }) => version),
      ['1.0.6', '1.0.5', '1.0.4', '1.0.3', '1.0.2', '1.0.1', '1.0.0'],
    )
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const walked = await walk(limit, (position) =>
        workspace.promptVersions.list({ slug: 'p', limit, ...position }),
      )
      assert.deepEqual(walked, items)
    }
  })

  test('prompts created during a walk neither repeat nor hide others', async () => {
    const { workspace } = await open()
    for (const slug of ['a', 'b', 'c']) await workspace.prompts.create({ slug, name: slug }, new Date(1_000))
    const first = await workspace.prompts.list({ limit: 2 })
    await workspace.prompts.create({ slug: 'late', name: 'Late' }, new Date(2_000))
    const second = await workspace.prompts.list({ limit: 2, after: first.next! })
    const slugs = [...first.items, ...second.items].map(({ slug }) => slug)
    assert.deepEqual(slugs.toSorted(), ['a', 'b', 'c', 'late'])
    assert.equal(second.next, undefined)
  })
})

async function walk<Item>(
  limit: number,
  read: (request: { after?: PageKey }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const walked: Item[] = []
  for (let after: { after?: PageKey } | undefined = {}; after !== undefined; ) {
    const page: Page<Item> = await read(after)
    walked.push(...page.items)
    assert.ok(page.items.length <= limit)
    assert.ok(walked.length < 100, 'The walk does not end.')
    after = page.next === undefined ? undefined : { after: page.next }
  }
  return walked
}
