// One control plane is enough: the replayed calls are in the trace store.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startModelServer } from '../../../../fixtures/model-server/server.ts'
import {
  knownModel,
  makeEvaluator,
  makeLivePrompt,
  makeVersion,
  recordGeneration,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { create } = operations.replays
const models = await startModelServer({
  script: [{ when: 'kindly', text: 'Gladly, a refund.' }],
})
after(() => models.close())
const { newWorkspace } = await startTestApp({ settings: { PLUMBLINE_PRIVATE_MODEL_URLS: 'true' } })

const slug = 'greeting'

async function makeSetup(workspace: TestWorkspace, candidate: object = {}) {
  await makeLivePrompt(workspace, {
    text: 'Answer {{ question }}',
    systemText: 'Be brief.',
    model: knownModel,
  })
  await makeVersion(workspace, {
    slug,
    version: 'kind',
    text: 'Answer kindly: {{ question }}',
    model: knownModel,
    ...candidate,
  })
  const { connection } = await workspace.ok(operations.connections.create, {
    name: 'Models',
    provider: 'open-ai',
    apiKey: 'sk-test',
    baseUrl: models.url,
  })
  return { slug, version: 'kind', connectionId: connection.id }
}

const call = (workspace: TestWorkspace, question: string, fields: object = {}) =>
  recordGeneration(workspace, {
    prompt: { slug },
    variables: [{ label: 'question', value: question }],
    output: 'No.',
    ...fields,
  })

describe('replays.create', () => {
  it('200: runs the latest calls on the version, and judges both outputs by the same evaluator', async () => {
    const workspace = await newWorkspace()
    const input = await makeSetup(workspace)
    await makeEvaluator(workspace, { slug: 'refunds', kind: 'contains', config: { value: 'refund' } })
    const usage = { inputTokens: 1e6, outputTokens: 0, cost: 0 }
    for (const [index, question] of ['one', 'two', 'three'].entries())
      await call(workspace, question, {
        ...usage,
        startTime: `2026-01-02T03:04:0${index}.000900Z`,
        endTime: `2026-01-02T03:04:0${index}.002100Z`,
      })
    await recordTrace(workspace, {
      metadata: { source: 'playground' },
      logs: [{ id: 'a', type: 'generation', prompt: { slug }, output: 'A trial.' }],
    })
    await eventually(async () => {
      const { traces } = await workspace.ok(operations.traces.list, {})
      assert.equal(traces.length, 4)
    })
    const { replays } = await workspace.ok(create, { ...input, limit: 2, evaluatorSlugs: ['refunds'] })
    assert.deepEqual(
      replays.map(({ variables, isSame, problem }) => [variables, isSame, problem]),
      [
        [{ question: 'three' }, false, null],
        [{ question: 'two' }, false, null],
      ],
    )
    const [first] = replays
    const { recorded, replayed } = first!
    assert.deepEqual([recorded.version, recorded.output], ['1.0.0', 'No.'])
    // The numbers of totals: the estimate if 0 was sent, in microseconds.
    assert.deepEqual([recorded.cost, recorded.durationMs], [2.5, 1.2])
    assert.deepEqual([replayed?.version, replayed?.output], ['kind', 'Gladly, a refund.'])
    assert.deepEqual([recorded.scores[0]?.value, replayed?.scores[0]?.value], [false, true])
    assert.ok(Number(replayed?.cost) > 0 && Number(replayed?.durationMs) > 0)
    const { moves } = await workspace.ok(operations.prompts.history, { slug })
    assert.ok(!moves.some(({ tag, to }) => tag === 'production' && to === 'kind'), 'a tag moved')
  })

  it('200: appends the turns that the application sent after the messages of the prompt', async () => {
    const workspace = await newWorkspace()
    const input = await makeSetup(workspace, { systemText: 'Be kind.' })
    const turns = [
      { role: 'assistant', content: 'Which order?' },
      { role: 'user', content: 'Number 7.' },
    ]
    const { trace } = await call(workspace, 'one', {
      input: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Answer one' }, ...turns],
    })
    const before = models.requests.length
    await workspace.ok(create, { ...input, traceIds: [trace.id] })
    const { body } = models.requests[before] as { body: { messages: unknown } }
    assert.deepEqual(body.messages, [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Answer kindly: one' },
      ...turns,
    ])
  })

  it('200: reports for each call why it could not be replayed, and which variables it lacks', async () => {
    const workspace = await newWorkspace()
    const input = await makeSetup(workspace, { text: 'kindly {{ question }} {{ tone }}' })
    const { trace: bare } = await call(workspace, '', { variables: null, input: 'Hello' })
    const { trace: failing } = await call(workspace, 'one')
    const traceIds = [bare.id, failing.id]
    const { replays } = await workspace.ok(create, { ...input, traceIds, model: 'fake-401' })
    assert.match(replays[0]?.problem ?? '', /recorded no variables, and the version needs "question", "tone"/)
    assert.match(replays[1]?.problem ?? '', /401/)
    assert.deepEqual(replays[1]?.missingVariables, ['tone'])
    assert.equal(replays[1]?.replayed, null)
  })

  it('400 and 404: names the problem', async () => {
    const workspace = await newWorkspace()
    const input = await makeSetup(workspace, { model: undefined })
    await makeEvaluator(workspace, { slug: 'people', kind: 'human', config: {} })
    const refusalOf = (fields: object, status: number) =>
      workspace.refused(create, { ...input, model: 'gpt-4o', ...fields }, status)
    assert.match(await refusalOf({ limit: 51 }, 400), /^limit: /)
    assert.match(await refusalOf({ model: undefined }, 400), /^model: is required/)
    assert.match(await refusalOf({ evaluatorSlugs: ['people'] }, 400), /^evaluatorSlugs\[0\]: /)
    assert.match(await refusalOf({ evaluatorSlugs: ['none'] }, 404), /No evaluator/)
    assert.match(await refusalOf({ slug: 'none' }, 404), /No prompt/)
    assert.match(await refusalOf({ version: '9' }, 404), /no version "9"/)
    assert.match(await refusalOf({ connectionId: 'none' }, 404), /No connection/)
    assert.match(await refusalOf({ traceIds: [crypto.randomUUID()] }, 404), /No trace/)
    const { trace } = await recordTrace(workspace, {})
    assert.match(await refusalOf({ traceIds: [trace.id] }, 404), /No trace/)
  })
})
