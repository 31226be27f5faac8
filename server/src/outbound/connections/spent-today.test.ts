import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import { recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const models = await startModelServer()
after(() => models.close())
const startedAt = Date.now()
// The service's clock starts at noon, so that no midnight comes except the test's.
let noon = Date.parse('2026-03-01T12:00:00Z')
const { newWorkspace } = await startTestApp({
  settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true' },
  now: () => new Date(noon + Date.now() - startedAt),
})

const model = 'priced-by-us'
const connect = async (workspace: TestWorkspace, name: string) =>
  (
    await workspace.ok(operations.connections.create, {
      name,
      provider: 'open-ai',
      apiKey: 'sk-any',
      baseUrl: models.url,
      models: [model],
      spendMaxPerDay: 1_000_000,
    })
  ).connection.id

/** Repeats a request to the model server, and returns its cost at one dollar per token. */
async function costOf({ body }: { readonly body: unknown }): Promise<number> {
  const answer = await fetch(`${models.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-any' },
    body: JSON.stringify(body),
  })
  const { usage } = (await answer.json()) as { usage: { total_tokens: number } }
  return usage.total_tokens
}

/** The cost of the single evaluation of a newly recorded trace. */
async function judgeOne(workspace: TestWorkspace, output: string): Promise<number> {
  const { id } = await recordTrace(workspace, {
    output,
    evaluators: [{ slug: 'right' }],
    evaluationConfig: { sampleRate: 1 },
  })
  return eventually(async () => {
    const { evaluations } = await workspace.ok(operations.evaluations.list)
    const [evaluation] = evaluations.filter(({ traceId }) => traceId === id)
    assert.equal(evaluation?.status, 'done', evaluation?.problem ?? undefined)
    return evaluation?.cost ?? Number.NaN
  })
}

describe('connections.list', () => {
  it("200: reports today's cost of judging and its probes, without the cost of test runs", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const [connectionId] = [await connect(workspace, 'Asked'), await connect(workspace, 'Idle')]
    await connect(other, 'Asked')
    await workspace.ok(operations.prices.create, {
      provider: 'open-ai',
      model,
      inputPerMillion: 1_000_000,
      outputPerMillion: 1_000_000,
    })
    const readSpending = async (testWorkspace: TestWorkspace) =>
      (await testWorkspace.ok(operations.connections.list)).connections.map(({ name, spentToday }) => [
        name,
        spentToday,
      ])
    assert.deepEqual(await readSpending(workspace), [
      ['Asked', 0],
      ['Idle', 0],
    ])

    const config = { connectionId, model, template: '{{ output }}?', verdict: { type: 'boolean' } }
    await workspace.ok(operations.evaluators.create, { slug: 'right', name: 'Right', kind: 'llm', config })
    const first = await judgeOne(workspace, 'Paris')
    const [probed, judged] = models.requests as [(typeof models.requests)[0], (typeof models.requests)[0]]
    assert.equal(first, await costOf(judged))
    const spending = (await costOf(probed)) + first
    assert.deepEqual(await readSpending(workspace), [
      ['Asked', spending],
      ['Idle', 0],
    ])
    assert.deepEqual(await readSpending(other), [['Asked', 0]])

    const messages = [{ role: 'user', content: 'Ping' }]
    const played = await workspace.call(operations.playground.run, { connectionId, model, messages })
    assert.match(played.text, /"cost":[1-9]/)
    const { results } = await workspace.ok(operations.evaluators.test, { kind: 'llm', config })
    assert.ok((results[0]?.cost ?? 0) > 0)
    assert.ok((await workspace.ok(operations.connections.test, { id: connectionId })).works)
    assert.equal((await readSpending(workspace))[0]?.[1], spending)
    const renamed = await workspace.ok(operations.connections.update, { id: connectionId, name: 'Again' })
    assert.equal(renamed.connection.spentToday, spending)

    noon += 86_400_000
    assert.equal((await readSpending(workspace))[0]?.[1], 0)
    // The update causes a new probe.
    const second = await judgeOne(workspace, 'Rome')
    assert.equal((await readSpending(workspace))[0]?.[1], (await costOf(probed)) + second)
  })
})
