/** Two concurrent requests that change different fields of the same resource: both changes are kept. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allOperations, type Operation, operations, pathFields } from '@plumbline/contract'
import { makeHuman, makeQueue } from '../../testing/annotation-queues.ts'
import {
  makeDataset,
  makeEvaluator,
  makeFeature,
  makeLivePrompt,
  makePrompt,
  makeVersion,
  recordTrace,
  startTestApp,
  type TestPerson,
  type TestWorkspace,
} from '../../testing/test-app.ts'

const { newWorkspace } = await startTestApp()

type Fields = Readonly<Record<string, unknown>>

interface Case {
  readonly operation: Operation
  /** Creates the resource, and returns its identifiers for requests, and those that its changes refer to. */
  readonly make: (workspace: TestWorkspace) => Promise<Fields>
  /** The two changes. The values differ in every round, so that a lost change is noticed. */
  readonly changes: (round: number, names: Fields) => readonly [Fields, Fields]
  /** The resource as it is stored, with the names of the request. */
  readonly read: (workspace: TestWorkspace, names: Fields, caller?: TestPerson) => Promise<object | undefined>
  /** The user who changes it; by default the workspace's key. */
  readonly person?: (workspace: TestWorkspace) => Promise<TestPerson>
}

const rounds = 4

const byId = <Thing extends { readonly id: string }>(things: readonly Thing[], { id }: Fields) =>
  things.find((thing) => thing.id === id)

const makeAlert = async (workspace: TestWorkspace) =>
  (
    await workspace.ok(operations.alerts.create, {
      ...{ name: 'Errors', measure: 'errorRate', windowMinutes: 5, condition: 'above', threshold: 0.5 },
    })
  ).alert

const makeChannel = (workspace: TestWorkspace) =>
  workspace.ok(operations.channels.create, { name: 'Ours', type: 'webhook', url: 'https://example.com/hook' })

const makeConnection = async (workspace: TestWorkspace, fields: object = {}) =>
  (await workspace.ok(operations.connections.create, { name: 'Ours', provider: 'open-ai', ...fields }))
    .connection

const liveRule = (sampleRate: number) => ({ filters: {}, subject: 'trace', sampleRate })

const cases: readonly Case[] = [
  {
    operation: operations.scores.update,
    make: async (workspace) => {
      const { id: traceId } = await recordTrace(workspace)
      const input = { traceId, name: 'quality', value: 0, comment: 'None.' }
      const { score } = await workspace.ok(operations.scores.create, input)
      return { id: score.id }
    },
    changes: (round) => [{ value: round }, { comment: `Comment ${round}.` }],
    read: async (workspace, names) => byId((await workspace.ok(operations.scores.list, {})).scores, names),
  },
  {
    operation: operations.alerts.update,
    make: async (workspace) => ({ id: (await makeAlert(workspace)).id }),
    changes: (round) => [{ threshold: round / 10 }, { windowMinutes: 10 + round, note: `Note ${round}.` }],
    read: async (workspace, names) => (await workspace.ok(operations.alerts.get, names)).alert,
  },
  {
    operation: operations.channels.update,
    make: async (workspace) => ({ id: (await makeChannel(workspace)).channel.id }),
    changes: (round) => [{ name: `Channel ${round}` }, { isEnabled: round % 2 === 0 }],
    read: async (workspace, names) =>
      byId((await workspace.ok(operations.channels.list, {})).channels, names),
  },
  {
    operation: operations.connections.update,
    make: async (workspace) => ({ id: (await makeConnection(workspace)).id }),
    changes: (round) => [{ name: `Connection ${round}`, models: [`m${round}`] }, { concurrencyMax: round }],
    read: async (workspace, names) =>
      byId((await workspace.ok(operations.connections.list, {})).connections, names),
  },
  {
    operation: operations.evaluators.update,
    make: async (workspace) => ({ slug: (await makeEvaluator(workspace)).slug }),
    changes: (round) => [
      { name: `Name ${round}`, config: { value: `please ${round}` } },
      { sampleRate: round / 10, liveRule: liveRule(round / 10) },
    ],
    read: async (workspace, names) => (await workspace.ok(operations.evaluators.get, names)).evaluator,
  },
  {
    operation: operations.annotationQueues.update,
    make: async (workspace) => ({ id: (await makeQueue(workspace, 0)).id }),
    changes: (round) => [
      { name: `Queue ${round}`, annotatorsPerItem: round },
      { instructions: `Instructions ${round}.`, feed: { share: round / 10 } },
    ],
    read: async (workspace, names) => (await workspace.ok(operations.annotationQueues.get, names)).queue,
  },
  {
    operation: operations.comments.update,
    make: async (workspace) => {
      const { id: subjectId } = await recordTrace(workspace)
      const input = { subjectType: 'trace', subjectId, text: 'Look.' }
      const { comment } = await workspace.ok(operations.comments.create, input)
      return { id: comment.id, subjectId, personId: (await workspace.signIn('viewer')).id }
    },
    // The text is required.
    changes: (round, { personId }) => [
      { text: 'Look.' },
      { text: 'Look.', mentions: round % 2 === 0 ? [] : [personId] },
    ],
    read: async (workspace, { id, subjectId }) => {
      const query = { subjectType: 'trace', subjectId }
      const comment = byId((await workspace.ok(operations.comments.list, query)).comments, { id })
      return { ...comment, mentions: comment?.mentions.map((person) => person.id) }
    },
  },
  {
    operation: operations.dashboards.update,
    make: async (workspace) => {
      await workspace.ok(operations.dashboards.create, { slug: 'ours', name: 'Ours' })
      return { slug: 'ours' }
    },
    changes: (round) => [{ name: `Dashboard ${round}` }, { description: `Description ${round}.` }],
    read: async (workspace, names) => (await workspace.ok(operations.dashboards.get, names)).dashboard,
  },
  {
    operation: operations.views.update,
    make: async (workspace) => {
      const input = { name: 'Ours', page: 'traces', search: '?a=b' }
      return { id: (await workspace.ok(operations.views.create, input)).view.id }
    },
    changes: (round) => [{ name: `View ${round}` }, { search: `?a=${round}` }],
    read: async (workspace, names) => byId((await workspace.ok(operations.views.list, {})).views, names),
  },
  {
    operation: operations.datasets.update,
    make: async (workspace) => ({ slug: (await makeDataset(workspace)).slug }),
    changes: (round) => [
      { name: `Dataset ${round}` },
      { columns: [{ name: `question${round}`, type: 'text' }] },
    ],
    read: async (workspace, names) => (await workspace.ok(operations.datasets.get, names)).dataset,
  },
  {
    operation: operations.datasets.change,
    make: async (workspace) => {
      const columns = [
        { name: 'question', type: 'text' },
        { name: 'answer', type: 'text' },
      ]
      const { slug } = await makeDataset(workspace, { columns })
      const rows = [{ values: { question: '', answer: '' } }]
      const { ids } = await workspace.ok(operations.datasets.append, { slug, rows })
      return { slug, id: ids[0] }
    },
    changes: (round) => [
      { values: { question: `Question ${round}?` }, split: `split ${round}` },
      { values: { answer: `Answer ${round}.` }, name: `Row ${round}` },
    ],
    read: async (workspace, { slug, id }) =>
      byId((await workspace.ok(operations.datasets.rows, { slug })).rows, { id }),
  },
  {
    operation: operations.prompts.update,
    make: async (workspace) => {
      await makeFeature(workspace)
      return { slug: (await makePrompt(workspace)).slug }
    },
    changes: (round) => [
      { name: `Prompt ${round}`, folder: `folder/${round}` },
      { description: `Description ${round}.`, featureSlug: round % 2 === 0 ? '' : 'chat' },
    ],
    read: async (workspace, names) => {
      const { prompts } = await workspace.ok(operations.prompts.list, {})
      const prompt = prompts.find(({ slug }) => slug === names.slug)
      return { ...prompt, featureSlug: prompt?.featureSlug ?? '' }
    },
  },
  {
    operation: operations.rollouts.update,
    make: async (workspace) => {
      await makeLivePrompt(workspace, { version: '1.0.0' })
      await makeVersion(workspace, { version: '2.0.0' })
      const input = { promptSlug: 'greeting', candidateVersion: '2.0.0', share: 0.5 }
      const { rollout } = await workspace.ok(operations.rollouts.create, input)
      return { id: rollout.id, alertId: (await makeAlert(workspace)).id }
    },
    changes: (round, { alertId }) => [{ share: round / 10 }, { alertIds: round % 2 === 0 ? [] : [alertId] }],
    read: async (workspace, { id }) => (await workspace.ok(operations.rollouts.get, { id })).rollout,
  },
  {
    operation: operations.retention.update,
    make: async () => ({}),
    changes: (round) => [
      { days: round, environments: [{ environment: 'staging', days: round }] },
      { fileDays: round, features: [{ featureSlug: 'chat', days: null }] },
    ],
    read: (workspace) => workspace.ok(operations.retention.get, {}),
  },
  {
    operation: operations.audit.configure,
    make: async () => ({}),
    person: (workspace) => workspace.signIn('owner'),
    changes: (round) => [
      { days: 30 + round },
      { webhookUrl: `https://example.com/hooks/audit-${1000 + round}` },
    ],
    read: async (workspace, _names, owner) => {
      const { settings } = await workspace.ok(operations.audit.settings, {}, owner)
      return {
        ...settings,
        // Only the end of the URL is returned.
        webhookUrl: `https://example.com/hooks/audit-${settings.webhook?.slice(-4)}`,
      }
    },
  },
]

describe('two concurrent changes', () => {
  for (const { operation, make, changes, read, person } of cases)
    it(`${operation.name}: both are kept`, async () => {
      const workspace = await newWorkspace()
      const names = await make(workspace)
      const caller = await person?.(workspace)
      const key = Object.fromEntries(
        Object.entries(names).filter(([name]) => name in operation.input.properties),
      )
      for (let round = 1; round <= rounds; round++) {
        const [first, second] = changes(round, names)
        await Promise.all(
          [first, second].map((change) => workspace.ok(operation, { ...key, ...change }, caller)),
        )
        assert.partialDeepStrictEqual(await read(workspace, names, caller), { ...first, ...second })
      }
    })

  it('covers every operation that changes individual fields', () => {
    const partial = allOperations.filter(({ method, path, input }) => {
      const fields = Object.keys(input.properties).filter((name) => !pathFields(path).includes(name))
      return method === 'PATCH' && fields.length > 1
    })
    assert.deepEqual(
      cases.map(({ operation }) => operation.name).sort(),
      partial.map(({ name }) => name).sort(),
    )
  })
})

describe('a change validated against another change', () => {
  it('evaluators.update: a kind and a live rule that exclude each other are never stored together', async () => {
    const workspace = await newWorkspace()
    const { slug } = await makeEvaluator(workspace)
    const { config } = await makeHuman(workspace)
    const before = { slug, kind: 'contains', config: { value: 'please' }, liveRule: null }
    for (let round = 1; round <= rounds; round++) {
      await workspace.ok(operations.evaluators.update, before)
      const answers = await Promise.all([
        workspace.call(operations.evaluators.update, { slug, kind: 'human', config }),
        workspace.call(operations.evaluators.update, { slug, liveRule: liveRule(round / 10) }),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    }
  })

  it('connections.update: a key is never combined with a URL that was set without it', async () => {
    const workspace = await newWorkspace()
    for (let round = 1; round <= rounds; round++) {
      const { id } = await makeConnection(workspace, { name: `Ours ${round}` })
      const answers = await Promise.all([
        workspace.call(operations.connections.update, { id, apiKey: 'sk-any' }),
        workspace.call(operations.connections.update, { id, baseUrl: 'https://example.com/v1' }),
      ])
      // Either the URL was set first, or it was refused.
      const { connections } = await workspace.ok(operations.connections.list, {})
      const { baseUrl } = byId(connections, { id })!
      assert.deepEqual(
        answers.map(({ status }) => status),
        baseUrl === 'https://example.com/v1' ? [200, 200] : [200, 400],
      )
    }
  })

  it('members.update: an admin never changes a member who has become an owner', async () => {
    const workspace = await newWorkspace()
    const [owner, admin] = [await workspace.signIn('owner'), await workspace.signIn('admin')]
    for (let round = 1; round <= rounds; round++) {
      const { id } = await workspace.signIn('viewer')
      const [, demotion] = await Promise.all([
        workspace.ok(operations.members.update, { id, role: 'owner' }, owner),
        workspace.call(operations.members.update, { id, role: 'editor' }, admin),
      ])
      const { members } = await workspace.ok(operations.members.list, {}, owner)
      const { role } = byId(members, { id })!
      // Either order is fine.
      assert.equal(role, 'owner', `The change to editor had the status ${demotion.status}.`)
    }
  })
})
