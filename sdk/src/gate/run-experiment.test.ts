import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RequestFailed, ServiceUnreachable } from '../client/errors.ts'
import { createOperations } from '../client/operations.ts'
import { followRun } from './run-experiment.ts'

/** A client whose service answers the requests in turn: with the status of a run, an HTTP error, or not at all. */
function clientOf(...answers: readonly (string | number)[]) {
  let count = 0
  const client = createOperations({
    baseUrl: 'http://plumbline.test',
    apiKey: 'pl_x',
    fetch: async () => {
      const answer = answers[count++]
      if (answer === undefined) throw new TypeError('fetch failed')
      return typeof answer === 'number'
        ? Response.json({ error: 'No.' }, { status: answer })
        : Response.json({ run: { id: 'r', status: answer } })
    },
  })
  return { client, requestCount: () => count }
}

describe('following a run', () => {
  it('survives a restart of the service', async () => {
    const { client, requestCount } = clientOf('running', 503, 502, 'completed')
    assert.equal((await followRun(client, 'r')).status, 'completed')
    assert.equal(requestCount(), 4)
  })

  it('ends with the first error that a restart cannot explain', async () => {
    const { client, requestCount } = clientOf('running', 404)
    await assert.rejects(followRun(client, 'r'), RequestFailed)
    assert.equal(requestCount(), 2)
  })

  it('fails at once if the service has never answered', async () => {
    await assert.rejects(followRun(clientOf(503).client, 'r'), RequestFailed)
    await assert.rejects(followRun(clientOf().client, 'r'), ServiceUnreachable)
  })
})
