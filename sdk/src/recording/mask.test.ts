import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient, type Mask } from '../index.ts'

/** A client whose requests are captured instead of sent. */
function recordingClient(mask: Mask) {
  const bodies: string[] = []
  const errors: Error[] = []
  const client = createClient({
    baseUrl: 'http://localhost:1',
    apiKey: 'pl_x',
    batchDelayMs: 1,
    mask,
    onError: (error) => errors.push(error),
    fetch: async (_address, init) => {
      bodies.push(
        typeof init!.body === 'string' ? init!.body : new TextDecoder().decode(init!.body as Uint8Array),
      )
      const id = '01933b1c-0000-7000-8000-000000000000'
      return Response.json({ trace: { id }, log: { id }, score: { id } })
    },
  })
  return { client, bodies, errors }
}

const replace: Mask = (value) => JSON.parse(JSON.stringify(value).replaceAll('secret', '***'))

describe('mask', () => {
  it('sees every value before it leaves the process, with the name of its field', async () => {
    const fields = new Set<string>()
    const { client, bodies } = recordingClient((value, { field }) => {
      fields.add(field)
      return replace(value, { field })
    })
    const value = { text: 'secret' }
    client.trace(
      { name: 'secret', input: value, user: { id: 'secret', name: 'secret' }, metadata: { a: 'secret' } },
      (trace) => {
        trace.generation({ input: [value], variables: { x: 'secret' }, model: 'm' }).end({ output: 'secret' })
        trace.span({ name: 'secret' }).end({ error: new Error('secret') })
        return 'secret'
      },
    )
    client.score({
      traceId: '01933b1c-0000-7000-8000-000000000000',
      name: 'x',
      value: 'secret',
      comment: 'secret',
    })
    await client.flush()
    await client.monitor.trace({ output: 'secret', logs: [{ id: 'a', type: 'span', input: 'secret' }] })
    await client.monitor.log({ slug: 'p', output: 'secret' })
    assert.equal(bodies.length, 4)
    for (const body of bodies) {
      assert.ok(!body.includes('secret'), body)
      assert.ok(body.includes('***'), body)
    }
    assert.deepEqual(value, { text: 'secret' }, 'the application keeps its own values')
    for (const field of ['name', 'input', 'output', 'user', 'metadata', 'variables', 'comment', 'value'])
      assert.ok(fields.has(field), field)
    for (const field of ['id', 'type', 'parentId', 'startTime', 'traceId', 'slug'])
      assert.ok(!fields.has(field), field)
  })

  it('leaves out a value for which it throws, reports the error, and sends the rest', async () => {
    const { client, bodies, errors } = recordingClient((value, { field }) => {
      if (field === 'input' || field === 'metadata' || field === 'user') throw new Error('broken mask')
      return value
    })
    client
      .trace({
        input: 'secret',
        user: { id: 'secret', name: 'n' },
        metadata: { a: 'secret' },
        output: 'kept',
      })
      .end()
    await client.flush()
    const [span] = JSON.parse(bodies[0]!).resourceSpans[0].scopeSpans[0].spans
    assert.deepEqual(span.attributes, [
      { key: 'plumbline.input', value: { stringValue: '"[left out: the mask failed]"' } },
      { key: 'plumbline.output', value: { stringValue: 'kept' } },
    ])
    assert.equal(errors.filter(({ message }) => message === 'broken mask').length, 3)
    assert.ok(!bodies[0]!.includes('secret'))
  })
})
