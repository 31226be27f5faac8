import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RequestFailed, ServiceUnreachable } from '../client/errors.ts'
import { createOperations } from '../client/operations.ts'
import { followRun } from './run-experiment.ts'

/** A client whose service answers each request in turn: with a status of a run, an error of HTTP, or not at all. */
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

describe('a run that is followed', () => {
  it('may outlast a restart of the service', async () => {
    const { client, requestCount } = clientOf('running', 503, 502, 'completed')
    assert.equal((await followRun(client, 'r')).status, 'completed')
    assert.equal(requestCount(), 4)
  })

  it('ends with the first answer that no restart explains', async () => {
    const { client, requestCount } = clientOf('running', 404)
    await assert.rejects(followRun(client, 'r'), RequestFailed)
    assert.equal(requestCount(), 2)
  })

  it('is not waited for where the service has not answered once', async () => {
    await assert.rejects(followRun(clientOf(503).client, 'r'), RequestFailed)
    await assert.rejects(followRun(clientOf().client, 'r'), ServiceUnreachable)
  })
})
