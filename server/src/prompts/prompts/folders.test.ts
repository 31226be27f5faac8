import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makePrompt, startTestApp } from '../../../testing/test-app.ts'

const { list, update } = operations.prompts
const { newWorkspace } = await startTestApp()

describe('a folder of prompts', () => {
  it('200: lists its prompts and those of its subfolders, and no other', async () => {
    const workspace = await newWorkspace()
    for (const [slug, folder] of Object.entries({
      answer: 'support',
      late: 'support/refunds',
      other: 'supporters',
      loose: undefined,
      launched: '🚀/moon',
    }))
      await makePrompt(workspace, { slug, folder })
    const slugsIn = async (folder?: string): Promise<string[]> =>
      (await workspace.ok(list, folder === undefined ? {} : { folder })).prompts.map(({ slug }) => slug)
    assert.deepEqual(await slugsIn(), ['answer', 'late', 'other', 'loose', 'launched'])
    assert.deepEqual(await slugsIn('support'), ['answer', 'late'])
    assert.deepEqual(await slugsIn('support/refunds'), ['late'])
    assert.deepEqual(await slugsIn('🚀'), ['launched'])
    assert.deepEqual(await slugsIn('su%'), [])
  })

  it('200: can be changed, and is removed with an empty path', async () => {
    const workspace = await newWorkspace()
    const { slug } = await makePrompt(workspace, { folder: 'support' })
    const moved = await workspace.ok(update, { slug, folder: 'Grüße/A b' })
    assert.equal(moved.prompt.folder, 'Grüße/A b')
    assert.equal((await workspace.ok(update, { slug, name: 'Other' })).prompt.folder, 'Grüße/A b')
    assert.equal((await workspace.ok(update, { slug, folder: '' })).prompt.folder, undefined)
  })

  it('400: the path must not have empty names', async () => {
    const workspace = await newWorkspace()
    const { slug } = await makePrompt(workspace)
    for (const folder of ['/a', 'a/', 'a//b', ' a', 'a/ b'])
      assert.match(await workspace.refused(update, { slug, folder }, 400), /^folder: /, folder)
  })
})
