import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { makeLivePrompt, startTestApp } from '../../../testing/test-app.ts'

const { archive, get } = operations.prompts
const { newWorkspace, send } = await startTestApp()

describe('prompts.archive', () => {
  it('200: returns the time, and the prompt is still served', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    const { prompt } = await workspace.ok(archive, { slug: 'greeting' })
    assert.ok(Math.abs(Date.parse(prompt.archivedAt ?? '') - Date.now()) < 60_000)
    assert.equal((await workspace.ok(get, { slug: 'greeting' })).prompt.version, '1.0.0')
  })

  it('200: accepts no body, and an empty one', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace)
    const headers = { authorization: `Bearer ${workspace.key.secret}` }
    for (const body of [{}, { payload: '{}', headers: { ...headers, 'content-type': 'application/json' } }]) {
      const answer = await send({ method: 'POST', url: '/prompts/greeting/archive', headers, ...body })
      assert.equal(answer.status, 200, answer.text)
    }
  })

  it('404: the prompt does not exist', async () => {
    await (await newWorkspace()).refused(archive, { slug: 'nobody' }, 404)
  })
})
