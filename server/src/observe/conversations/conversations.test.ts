// One control plane is enough: everything here is in the trace store.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { app, newWorkspace } = await startTestApp()
const { conversations, users, organizations } = operations

const keira = { id: 'usr_1', name: 'Keira Bello' }
const fernhill = { id: 'org_1', name: 'Fernhill' }

/** A conversation of three turns by Keira, one of Ada's, and a trace without a session. */
async function talk(workspace: TestWorkspace) {
  const turn = (minute: number, fields: object) =>
    recordTrace(workspace, {
      name: 'Support chat',
      startTime: `2024-03-01T00:0${minute}:00Z`,
      endTime: `2024-03-01T00:0${minute}:02Z`,
      ...fields,
    })
  const bySession = { sessionId: 'chat/1', user: keira, organization: fernhill }
  const first = await turn(1, {
    ...bySession,
    input: 'Where is my parcel?',
    output: 'Which order?',
    logs: [{ id: 'g', type: 'generation', cost: 0.5, inputTokens: 10, outputTokens: 5 }],
  })
  const second = await turn(2, {
    ...bySession,
    logs: [
      { id: 'a', type: 'generation', input: 'Order 7', output: 'Looking …', inputTokens: 1, outputTokens: 1 },
      {
        id: 'b',
        type: 'generation',
        input: 'again',
        output: { text: 'It is lost.' },
        inputTokens: 1,
        outputTokens: 1,
      },
      { id: 't', type: 'tool', metadata: { error: { message: 'No carrier.' } } },
    ],
  })
  const third = await turn(3, { ...bySession, input: 'x'.repeat(50_000), output: 'Sorry.' })
  await turn(4, { sessionId: 'chat-2', user: { id: 'usr_2', name: 'Ada' }, input: 'Hi', output: 'Hello' })
  await turn(5, { input: 'alone' })
  await workspace.ok(operations.scores.create, { traceId: first.id, name: 'helpful', value: true })
  await workspace.ok(operations.scores.create, { traceId: second.id, name: 'helpful', value: false })
  await workspace.ok(operations.scores.create, { traceId: second.id, name: 'tone', value: 'rude' })
  await app.flush()
  return [first.id, second.id, third.id]
}

const workspace = await newWorkspace()
const ids = await talk(workspace)

describe('conversations.list', () => {
  it('200: returns each session with its start and end, its user, and the sums of its traces', async () => {
    const { conversations: list } = await workspace.ok(conversations.list)
    assert.deepEqual(
      list.map(({ id }) => id),
      ['chat-2', 'chat/1'],
    )
    assert.deepEqual(list[1], {
      id: 'chat/1',
      firstInput: '"Where is my parcel?"',
      lastOutput: '"Sorry."',
      user: keira,
      organization: fernhill,
      traces: 3,
      failed: 1,
      firstTime: '2024-03-01T00:01:00.000000Z',
      lastTime: '2024-03-01T00:03:00.000000Z',
      durationMs: 122_000,
      cost: 0.5,
      tokens: list[1]?.tokens,
      tokensEstimated: false,
      scores: [
        { name: 'helpful', count: 2, mean: 0.5 },
        { name: 'tone', count: 1, mean: null },
      ],
    })
    assert.ok((list[1]?.tokens ?? 0) >= 19)
  })

  it('200: shows where sums include tokens that the service counted, as for users and organizations', async () => {
    const workspace = await newWorkspace()
    for (const tokens of [{ inputTokens: 3, outputTokens: 2 }, {}])
      await recordTrace(workspace, {
        sessionId: 'inputTokens' in tokens ? 'reported' : 'counted',
        user: { id: 'inputTokens' in tokens ? 'reported' : 'counted', name: '' },
        organization: { id: 'both', name: '' },
        logs: [{ id: 'g', type: 'generation', model: 'gpt-4o', input: 'Hi', output: 'Hello', ...tokens }],
      })
    await app.flush()
    const marks = (list: readonly { readonly id: string; readonly tokensEstimated: boolean }[]) =>
      Object.fromEntries(list.map(({ id, tokensEstimated }) => [id, tokensEstimated]))
    const expected = { reported: false, counted: true }
    assert.deepEqual(marks((await workspace.ok(conversations.list)).conversations), expected)
    assert.deepEqual(marks((await workspace.ok(users.list)).users), expected)
    assert.deepEqual(marks((await workspace.ok(organizations.list)).organizations), { both: true })
  })

  it('200: sorts and pages in the requested order, and accepts the filters of traces', async () => {
    for (const [sort, first] of [
      ['traces', 'chat/1'],
      ['errors', 'chat/1'],
      ['cost', 'chat/1'],
      ['duration', 'chat/1'],
      ['first', 'chat-2'],
      ['tokens', 'chat/1'],
      ['last', 'chat-2'],
    ] as const) {
      const page = await workspace.ok(conversations.list, { sort, limit: 1 })
      const rest = await workspace.ok(conversations.list, { sort, limit: 1, cursor: page.nextCursor })
      const walked = [...page.conversations, ...rest.conversations].map(({ id }) => id)
      assert.deepEqual(walked, first === 'chat/1' ? ['chat/1', 'chat-2'] : ['chat-2', 'chat/1'], sort)
      assert.equal(rest.nextCursor, undefined)
    }
    const where = JSON.stringify([{ field: 'user', named: ['keira'] }])
    const matches = await workspace.ok(conversations.list, { where })
    assert.deepEqual(
      matches.conversations.map(({ id }) => id),
      ['chat/1'],
    )
    const failed = await workspace.ok(conversations.list, { hasError: true })
    assert.deepEqual(
      failed.conversations.map(({ id, traces }) => [id, traces]),
      [['chat/1', 1]],
    )
    assert.deepEqual(await (await newWorkspace()).ok(conversations.list), { conversations: [] })
  })

  it('400: for a cursor of another order', async () => {
    const { nextCursor } = await workspace.ok(conversations.list, { sort: 'cost', limit: 1 })
    const sentence = await workspace.refused(conversations.list, { sort: 'traces', cursor: nextCursor }, 400)
    assert.match(sentence, /cursor/)
  })
})

describe('conversations.get', () => {
  it('200: returns its turns, the first one first, with texts, failures and scores', async () => {
    const { conversation, turns, nextCursor } = await workspace.ok(conversations.get, { id: 'chat/1' })
    assert.deepEqual([conversation.traces, conversation.user, nextCursor], [3, keira, undefined])
    assert.deepEqual(
      turns.map(({ traceId }) => traceId),
      ids,
    )
    const [first, second, third] = turns
    assert.deepEqual(
      [first?.input, first?.output, first?.totals.cost],
      ['Where is my parcel?', 'Which order?', 0.5],
    )
    assert.deepEqual(
      [second?.input, second?.output, second?.error],
      ['Order 7', { text: 'It is lost.' }, 'No carrier.'],
    )
    assert.deepEqual(second?.scores.map(({ name, value }) => [name, value]).toSorted(), [
      ['helpful', false],
      ['tone', 'rude'],
    ])
    assert.equal(third?.isShortened, true)
    assert.equal(String(third?.input).length, 40_000)
    assert.equal(first?.isShortened, false)
  })

  it('200: shows the last output of a generation; null does not count', async () => {
    const logs = [
      { id: 'a', type: 'generation', input: 'Order 8', output: 'On its way.' },
      { id: 'b', type: 'generation', input: null, output: null },
    ]
    const other = await newWorkspace()
    await recordTrace(other, { sessionId: 'chat', logs })
    await app.flush()
    const { turns } = await other.ok(conversations.get, { id: 'chat' })
    assert.deepEqual([turns[0]?.input, turns[0]?.output], ['Order 8', 'On its way.'])
  })

  it('200: returns pages', async () => {
    const page = await workspace.ok(conversations.get, { id: 'chat/1', limit: 2 })
    const rest = await workspace.ok(conversations.get, { id: 'chat/1', limit: 2, cursor: page.nextCursor })
    assert.deepEqual(
      [...page.turns, ...rest.turns].map(({ traceId }) => traceId),
      ids,
    )
  })

  it('400: for an invalid cursor', async () => {
    assert.match(await workspace.refused(conversations.get, { id: 'chat/1', cursor: 'x' }, 400), /cursor/)
  })

  it('404: for a session without traces', async () => {
    assert.match(await workspace.refused(conversations.get, { id: 'nobody' }, 404), /nobody/)
  })
})

describe('users.list', () => {
  it('200: returns each end user with name, customer, sessions and scores', async () => {
    const { users: list } = await workspace.ok(users.list, { sort: 'cost' })
    assert.deepEqual(
      list.map(({ id, name, organization, sessions, traces, failed, cost }) => [
        id,
        name,
        organization,
        sessions,
        traces,
        failed,
        cost,
      ]),
      [
        ['usr_1', 'Keira Bello', fernhill, 1, 3, 1, 0.5],
        ['usr_2', 'Ada', null, 1, 1, 0, null],
      ],
    )
    assert.deepEqual(list[0]?.scores[0], { name: 'helpful', count: 2, mean: 0.5 })
  })

  it('400: for an invalid limit', async () => {
    assert.match(await workspace.refused(users.list, { limit: 0 }, 400), /limit/)
  })
})

describe('organizations.list', () => {
  it('200: returns each organization with its users and sessions', async () => {
    const { organizations: list } = await workspace.ok(organizations.list)
    assert.deepEqual(
      list.map(({ id, name, users, sessions, traces }) => [id, name, users, sessions, traces]),
      [['org_1', 'Fernhill', 1, 1, 3]],
    )
  })

  it('400: for an invalid limit', async () => {
    assert.match(await workspace.refused(organizations.list, { limit: 0 }, 400), /limit/)
  })
})
