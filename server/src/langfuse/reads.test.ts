// One control plane is enough: everything here is in the trace store.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recordTrace, startTestApp, type TestWorkspace } from '../../testing/test-app.ts'

const { newWorkspace, send } = await startTestApp()

async function request({ key }: TestWorkspace, method: 'GET' | 'POST', path: string, payload?: object) {
  const answer = await send({
    method,
    url: `/api/public${path}`,
    ...(payload === undefined ? {} : { payload }),
    headers: { authorization: `Basic ${Buffer.from(`pk:${key.secret}`).toString('base64')}` },
  })
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(answer.text)
}

describe('GET /api/public/traces/{id}', () => {
  it('takes metadata for nothing else that only has the names of that of Langfuse', async () => {
    const workspace = await newWorkspace()
    const metadata = [
      { langfuse: null, parameters: null, team: 'blue' },
      { langfuse: { type: 5, level: {}, version: null }, parameters: 'none', team: 'blue' },
    ]
    for (const each of metadata) {
      const { id } = await recordTrace(workspace, { logs: [{ id: 'a', type: 'tool', metadata: each }] })
      const [observation] = (await request(workspace, 'GET', `/traces/${id}`)).observations
      const { type, level, version, modelParameters } = observation
      assert.deepEqual([type, level, version, modelParameters], ['TOOL', 'DEFAULT', null, {}])
      assert.deepEqual(observation.metadata, { team: 'blue' })
    }
  })
})
