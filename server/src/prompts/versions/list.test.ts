import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makePrompt, makeVersion, startTestApp } from '../../../testing/test-app.ts'

const { list } = operations.versions
const { newWorkspace } = await startTestApp()

describe('versions.list', () => {
  it('200: returns pages, newest first, each version once while others are added', async () => {
    const workspace = await newWorkspace()
    await makePrompt(workspace)
    for (let index = 0; index < 5; index++) await makeVersion(workspace)
    const listedVersions: string[] = []
    let cursor: string | undefined
    do {
      const page = await workspace.ok(list, { slug: 'greeting', limit: 2, ...(cursor && { cursor }) })
      listedVersions.push(...page.versions.map(({ version }) => version))
      cursor = page.nextCursor
      await makeVersion(workspace)
    } while (cursor !== undefined && listedVersions.length < 20)
    assert.deepEqual(listedVersions, ['1.0.4', '1.0.3', '1.0.2', '1.0.1', '1.0.0'])
  })

  it('400: the limit or cursor is invalid, or the cursor belongs to another list', async () => {
    const workspace = await newWorkspace()
    for (const slug of ['one', 'two']) await makePrompt(workspace, { slug })
    const { nextCursor: cursor } = await workspace.ok(operations.prompts.list, { limit: 1 })
    assert.match(await workspace.refused(list, { slug: 'one', cursor }, 400), /^cursor: /)
    assert.match(await workspace.refused(list, { slug: 'one', limit: 0 }, 400), /^limit: must be at least 1$/)
  })

  it('404: the prompt does not exist', async () => {
    await (await newWorkspace()).refused(list, { slug: 'nobody' }, 404)
  })
})
