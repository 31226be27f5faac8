import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  makeFeature,
  makeLivePrompt,
  makePrompt,
  makeVersion,
  startTestApp,
} from '../../../testing/test-app.ts'

const { list, archive, publish } = operations.prompts
const { newWorkspace } = await startTestApp()

describe('prompts.list', () => {
  describe('200', () => {
    it('lists every prompt with its versions, newest first, and its tags', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      await makeLivePrompt(workspace, {}, { description: 'Says hello.', featureSlug: 'chat' })
      await makeVersion(workspace, { tags: ['staging'] })
      await makePrompt(workspace, { slug: 'draft', name: 'Draft' })
      const { prompts, ...rest } = await workspace.ok(list)
      assert.deepEqual(rest, {})
      const bySlug = Object.fromEntries(prompts.map((prompt) => [prompt.slug, prompt]))
      assert.deepEqual(bySlug, {
        greeting: {
          slug: 'greeting',
          name: 'Greeting',
          status: 'live',
          description: 'Says hello.',
          availableVersions: ['1.0.1', '1.0.0'],
          availableTags: bySlug.greeting?.availableTags ?? [],
          featureSlug: 'chat',
        },
        draft: {
          slug: 'draft',
          name: 'Draft',
          status: 'draft',
          description: '',
          availableVersions: [],
          availableTags: [],
        },
      })
      assert.deepEqual(bySlug.greeting?.availableTags.toSorted(), ['latest', 'production', 'staging'])
    })

    it('is empty in an empty workspace and for a feature that does not exist', async () => {
      const workspace = await newWorkspace()
      assert.deepEqual(await workspace.ok(list), { prompts: [] })
      await makePrompt(workspace)
      assert.deepEqual(await workspace.ok(list, { featureSlug: 'nobody' }), { prompts: [] })
    })

    it('filters by feature', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      await makePrompt(workspace, { slug: 'in', featureSlug: 'chat' })
      await makePrompt(workspace, { slug: 'out' })
      const { prompts } = await workspace.ok(list, { featureSlug: 'chat' })
      assert.deepEqual(
        prompts.map(({ slug }) => slug),
        ['in'],
      )
    })

    it('leaves archived prompts out', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      await workspace.ok(archive, { slug: 'greeting' })
      assert.deepEqual(await workspace.ok(list), { prompts: [] })
    })

    it('returns pages if a limit is given, each prompt once while others are added and changed', async () => {
      const workspace = await newWorkspace()
      const slugs = ['a', 'b', 'c', 'd', 'e']
      for (const slug of slugs) await makeLivePrompt(workspace, {}, { slug })
      const listedSlugs: string[] = []
      let cursor: string | undefined
      do {
        const page = await workspace.ok(list, { limit: 2, ...(cursor === undefined ? {} : { cursor }) })
        listedSlugs.push(...page.prompts.map(({ slug }) => slug))
        cursor = page.nextCursor
        await makePrompt(workspace, { slug: `late-${listedSlugs.length}` })
        await makeVersion(workspace, { slug: 'a' })
      } while (cursor !== undefined && listedSlugs.length < 20)
      assert.deepEqual(listedSlugs.filter((slug) => slugs.includes(slug)).toSorted(), slugs)
      assert.equal(new Set(listedSlugs).size, listedSlugs.length)
    })

    it('returns more than the page limit of other lists if no limit is given', async () => {
      const workspace = await newWorkspace()
      for (let index = 0; index < 120; index++) await makePrompt(workspace, { slug: `p${index}` })
      const { prompts, nextCursor } = await workspace.ok(list)
      assert.deepEqual([prompts.length, nextCursor], [120, undefined])
    })
  })

  describe('304', () => {
    it('is returned while nothing has changed, and 200 after a prompt or a tag has changed', async () => {
      const workspace = await newWorkspace()
      await makePrompt(workspace)
      await makeVersion(workspace)
      let etag = (await workspace.call(list)).headers.etag ?? ''
      const again = () => workspace.call(list, {}, { headers: { 'if-none-match': etag } })
      assert.deepEqual([(await again()).status, (await again()).text], [304, ''])
      await makePrompt(workspace, { slug: 'other' })
      const nextAnswer = await again()
      assert.equal(nextAnswer.status, 200)
      etag = nextAnswer.headers.etag ?? ''
      await workspace.ok(publish, { slug: 'greeting', newTag: 'production', version: '1.0.0' })
      assert.equal((await again()).status, 200)
    })
  })

  describe('400', () => {
    it('names an invalid limit or cursor', async () => {
      const workspace = await newWorkspace()
      for (const limit of ['0', '-1', '1.5', 'ten', '1001', ''])
        assert.match(await workspace.refused(list, { limit }, 400), /^limit: /)
      for (const cursor of ['x', 'W10', Buffer.from('["traces",1,"a"]').toString('base64url')])
        assert.match(await workspace.refused(list, { cursor }, 400), /^cursor: /)
    })
  })
})
