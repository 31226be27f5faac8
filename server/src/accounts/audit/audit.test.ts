import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  type AuditEntry,
  allOperations,
  auditedRoutes,
  isAudited,
  type Operation,
  operations,
  pathFields,
} from '@plumbline/contract'
import { defaultWorkspaceId } from '@plumbline/storage/control'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../../../../fixtures/eventually.ts'
import { legalBodies } from '../../../testing/fuzz/legal-bodies.ts'
import {
  cheapPasswords,
  makeDataset,
  makeEvaluator,
  makeFeature,
  makeLivePrompt,
  makeVersion,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

import { startReceiver } from '../../../testing/webhook-receiver.ts'

const { newWorkspace, send, app } = await startTestApp({
  settings: { PLUMBLINE_WEBHOOK_HOSTS: '127.0.0.1' },
  passwordHash: cheapPasswords,
})
const password = 'correct horse battery'

const entriesOf = async (workspace: TestWorkspace, filters: object = {}): Promise<AuditEntry[]> =>
  (await workspace.ok(operations.audit.list, { limit: 100, ...filters })).entries

const lastEntry = async (workspace: TestWorkspace, operation: Operation): Promise<AuditEntry> => {
  const [entry] = await entriesOf(workspace, { operation: operation.name })
  assert.ok(entry !== undefined, `no entry of ${operation.name}`)
  return entry
}

/** An operator's view of all entries. */
const everywhere = async (filters: object): Promise<AuditEntry[]> => {
  const workspace = await newWorkspace()
  const operator = await workspace.signInOperator()
  return (await workspace.ok(operations.audit.everywhere, { limit: 100, ...filters }, operator)).entries
}

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  send({
    method: 'POST',
    url,
    payload,
    headers: { 'sec-fetch-site': 'same-origin', 'user-agent': 'Browser', ...headers },
  })

describe('every operation that changes something', () => {
  /** Repeated here, so that exempting an operation from the log must change this test. */
  const exempt: Readonly<Record<string, string>> = {
    'monitor.trace': 'The ledger counts records.',
    'monitor.log': 'The ledger counts records.',
    'scores.create': 'Applications record scores as they record traces.',
    'playground.run': 'It records a trace at most.',
    'evaluators.estimate': 'It changes nothing.',
    'evaluators.test': 'It changes nothing.',
    'replays.create': 'It changes nothing.',
    'deletions.preview': 'It changes nothing.',
    'erasures.preview': 'It changes nothing.',
    'retention.preview': 'It changes nothing.',
    'comments.acknowledge': 'It marks what the caller has seen.',
    'annotationQueues.next': 'It reserves an item; what becomes of the item is in the log.',
  }
  const sensitiveReads = ['traces.export', 'datasets.export', 'exchange.export', 'audit.export']

  it('is audited, or is exempt for a reason', () => {
    const left = allOperations.filter(({ method }) => method !== 'GET').filter((each) => !isAudited(each))
    assert.deepEqual(left.map(({ name }) => name).toSorted(), Object.keys(exempt).toSorted())
    const reads = allOperations.filter(({ method }) => method === 'GET').filter(isAudited)
    assert.deepEqual(reads.map(({ name }) => name).toSorted(), sensitiveReads.toSorted())
  })

  it('is logged when it is refused, with the caller', async () => {
    const workspace = await newWorkspace()
    const stranger = await workspace.newKey(['ingest'])
    const ingestible = (operation: Operation) =>
      operation.scope === 'ingest' || operation.orScope === 'ingest'
    for (const operation of allOperations.filter(isAudited)) {
      if (ingestible(operation)) continue
      const path = Object.fromEntries(pathFields(operation.path).map((field) => [field, 'nothing']))
      const input = { ...(legalBodies[operation.name] as object | undefined), ...path }
      await workspace.refused(operation, input, 403, { key: stranger.secret })
      const isOfInstallation = operation.role === 'operator' || operation.role === 'anyone'
      const entries = isOfInstallation
        ? await everywhere({ workspaceId: 'installation', operation: operation.name, actor: stranger.id })
        : await entriesOf(workspace, { operation: operation.name })
      assert.equal(entries.length, 1, operation.name)
      const { actor, outcome, status, problem, resourceId } = entries[0]!
      assert.deepEqual(actor, { type: 'key', id: stranger.id, name: 'Test' })
      assert.deepEqual([outcome, status, problem], ['refused', 403, 'forbidden'])
      assert.equal(resourceId, Object.values(path).join('/'))
    }
  })

  it('does not fill the log when it is refused repeatedly', async () => {
    const workspace = await newWorkspace()
    const { secret } = await workspace.newKey(['read'])
    const attempts = 150
    for (let each = 0; each < attempts; each++)
      await workspace.refused(operations.features.create, {}, 403, { key: secret })
    // Sixty at once, and another one for each second since.
    const { length } = await entriesOf(workspace, { limit: 200 })
    assert.ok(length >= 60 && length < attempts, `${length} entries`)
  })
})

describe('an entry', () => {
  it('records who did what, from where, with the id of what was created and without its secret', async () => {
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    const headers = { ...owner.headers, 'user-agent': 'Browser 1' }
    const { apiKey, secret } = await workspace.ok(
      operations.keys.create,
      { name: 'CI', scopes: ['read'] },
      { ...owner, headers },
    )
    const entry = await lastEntry(workspace, operations.keys.create)
    assert.deepEqual(entry.actor, { type: 'person', id: owner.id, name: 'owner' })
    assert.equal(entry.address, '127.0.0.1')
    assert.equal(entry.userAgent, 'Browser 1')
    assert.equal(entry.workspaceId, workspace.id)
    assert.equal(entry.resource, 'keys')
    assert.equal(entry.resourceId, apiKey.id)
    assert.deepEqual([entry.outcome, entry.status], ['done', 201])
    assert.deepEqual(entry.after, { ...apiKey })
    assert.equal(entry.before, undefined)
    assert.doesNotMatch(JSON.stringify(entry), new RegExp(secret.slice(12)))
  })

  it('has the settings before and after a change, and before a deletion', async () => {
    const workspace = await newWorkspace()
    const { channel } = await workspace.ok(operations.channels.create, {
      name: 'Ours',
      type: 'webhook',
      url: 'https://example.com/a-secret-path-of-ours',
    })
    await workspace.ok(operations.channels.update, { id: channel.id, name: 'Theirs', isEnabled: false })
    const update = await lastEntry(workspace, operations.channels.update)
    assert.equal(update.resourceId, channel.id)
    assert.deepEqual([update.before?.name, update.before?.isEnabled], ['Ours', true])
    assert.deepEqual([update.after?.name, update.after?.isEnabled], ['Theirs', false])
    await workspace.ok(operations.channels.delete, { id: channel.id })
    const deletion = await lastEntry(workspace, operations.channels.delete)
    assert.equal(deletion.before?.name, 'Theirs')
    assert.equal(deletion.after, undefined)
    const texts = JSON.stringify(await entriesOf(workspace))
    assert.doesNotMatch(texts, /a-secret-path|sealed|whsec_/)
  })

  it('shows from which version to which a tag was moved', async () => {
    const workspace = await newWorkspace()
    await makeLivePrompt(workspace, { version: '1.0.0' })
    await makeVersion(workspace, { version: '2.0.0' })
    await workspace.ok(operations.prompts.publish, {
      slug: 'greeting',
      newTag: 'production',
      version: '2.0.0',
    })
    const { before, after, resourceId } = await lastEntry(workspace, operations.prompts.publish)
    assert.equal(resourceId, 'greeting')
    assert.deepEqual(before?.tags, { latest: '2.0.0', production: '1.0.0' })
    assert.deepEqual(after?.tags, { latest: '2.0.0', production: '2.0.0' })
  })

  it("shows an evaluator's live rule without its filters, which may name end users", async () => {
    const workspace = await newWorkspace()
    await makeEvaluator(workspace)
    const liveRule = { filters: { userId: 'ada' }, subject: 'trace', sampleRate: 0.5 } as const
    await workspace.ok(operations.evaluators.update, { slug: 'polite', liveRule })
    const { after } = await lastEntry(workspace, operations.evaluators.update)
    assert.deepEqual(after?.liveRule, { subject: 'trace', sampleRate: 0.5 })
  })

  it('has a hash of possible end user data, and never the data', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    const values = { question: 'My card number is 4111.' }
    await workspace.ok(operations.datasets.add, { slug: 'cases', values })
    const entry = await lastEntry(workspace, operations.datasets.add)
    assert.match(entry.requestHash ?? '', /^[0-9a-f]{64}$/)
    assert.deepEqual([entry.before?.rowCount, entry.after?.rowCount], [0, 1])
    // Ids and the hash are random, and may contain any digits.
    const withoutIds = JSON.stringify(entry).replaceAll(/[0-9a-f-]{32,}/g, '')
    assert.doesNotMatch(withoutIds, /4111/)
  })

  it('names users only by their ids, before and after', async () => {
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    const member = await workspace.signIn('viewer')
    await workspace.ok(operations.members.update, { id: member.id, role: 'editor' }, owner)
    const { before, after } = await lastEntry(workspace, operations.members.update)
    assert.deepEqual([before?.role, after?.role], ['viewer', 'editor'])
    await workspace.ok(operations.invitations.create, { email: 'ada@example.com', role: 'viewer' }, owner)
    assert.doesNotMatch(JSON.stringify(await entriesOf(workspace)), /@example\.com/)
  })

  it('is written before the first byte of an export, and not for mere reads', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace)
    await workspace.ok(operations.datasets.list)
    const { id } = await recordTrace(workspace)
    await workspace.ok(operations.traces.get, { id })
    await workspace.call(operations.datasets.export, { slug: 'cases', format: 'csv' })
    const operationsOf = (await entriesOf(workspace)).map(({ operation }) => operation)
    assert.deepEqual(operationsOf, ['datasets.export', 'datasets.create'])
  })

  it('is not written again when a retry gets the first response', async () => {
    const workspace = await newWorkspace()
    const headers = { 'idempotency-key': randomUUID() }
    const input = { slug: 'chat', name: 'Chat' }
    for (let each = 0; each < 2; each++) await workspace.ok(operations.features.create, input, { headers })
    assert.equal((await entriesOf(workspace)).length, 1)
  })

  it('is not written for what was not found or invalid', async () => {
    const workspace = await newWorkspace()
    await workspace.refused(operations.channels.delete, { id: 'nothing' }, 404)
    await workspace.refused(operations.features.create, {}, 400)
    assert.deepEqual(await entriesOf(workspace), [])
  })

  it('of a deleted workspace remains for operators, without its settings', async () => {
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    await makeFeature(workspace, { name: 'A secret project' })
    assert.ok((await entriesOf(workspace))[0]?.after !== undefined)
    await workspace.ok(operations.workspaces.delete, { name: 'Test' }, owner)
    await app.jobsDrained()
    const entries = await everywhere({ workspaceId: workspace.id })
    assert.deepEqual(
      entries.map(({ operation }) => operation),
      ['workspaces.delete', 'features.create'],
    )
    assert.doesNotMatch(JSON.stringify(entries), /A secret project/)
  })
})

describe('signing in', () => {
  const join = async () => {
    const workspace = await newWorkspace()
    const email = `${randomUUID()}@example.com`
    const { url } = await workspace.ok(operations.invitations.create, { email, role: 'viewer' })
    const token = new URL(url).searchParams.get('token')
    const response = await post('/auth/join', { token, name: 'Ada', password })
    assert.equal(response.status, 200, response.text)
    const { id } = JSON.parse(response.text).user as { id: string }
    return { email, id, cookie: String(response.headers['set-cookie']).split(';')[0]! }
  }

  it('is logged, and so are failures, signing out and new passwords', async () => {
    const { email, id, cookie } = await join()
    assert.equal((await post('/auth/sign-in/email', { email, password: 'a wrong one' })).status, 401)
    const signedIn = await post('/auth/sign-in/email', { email, password })
    assert.equal(signedIn.status, 200)
    const wrong = { currentPassword: 'wrong', newPassword: 'another horse battery' }
    assert.equal((await post('/auth/change-password', wrong, { cookie })).status, 400)
    const right = { currentPassword: password, newPassword: 'another horse battery' }
    const changed = await post('/auth/change-password', right, { cookie })
    assert.equal(changed.status, 200, changed.text)
    const newCookie = String(changed.headers['set-cookie']).split(';')[0]!
    assert.equal((await post('/auth/sign-out', {}, { cookie: newCookie })).status, 200)
    const entries = await everywhere({ workspaceId: 'installation', resourceId: id })
    const summaries = entries.map(({ operation, outcome, actor }) => [operation, outcome, actor.id])
    assert.deepEqual(summaries.toReversed(), [
      [auditedRoutes.join, 'done', id],
      [auditedRoutes.signIn, 'refused', ''],
      [auditedRoutes.signIn, 'done', id],
      [auditedRoutes.changePassword, 'refused', id],
      [auditedRoutes.changePassword, 'done', id],
      [auditedRoutes.signOut, 'done', id],
    ])
    assert.ok(entries.every(({ userAgent }) => userAgent === 'Browser'))
    assert.doesNotMatch(JSON.stringify(entries), /horse|a wrong one|@example\.com/)
  })

  it('with an unknown address is logged without the submitted address', async () => {
    const email = `${randomUUID()}@example.com`
    const agent = randomUUID()
    const answer = await post('/auth/sign-in/email', { email, password }, { 'user-agent': agent })
    assert.equal(answer.status, 401)
    const entries = await everywhere({ operation: auditedRoutes.signIn, outcome: 'refused' })
    const entry = entries.find(({ userAgent }) => userAgent === agent)
    assert.equal(entry?.actor.type, 'nobody')
    assert.equal(entry.resourceId, '')
  })
})

it('a backup is logged, and so is a refused one', async () => {
  const workspace = await newWorkspace()
  const authorization = `Bearer ${workspace.key.secret}`
  const answer = await send({ method: 'POST', url: '/backup', headers: { authorization } })
  assert.equal(answer.status, 403)
  const [entry] = await everywhere({ operation: auditedRoutes.backup, actor: workspace.key.id })
  assert.deepEqual([entry?.outcome, entry?.status, entry?.resource], ['refused', 403, 'backup'])
})

describe('audit.list', () => {
  it('200: filters and pages', async () => {
    const workspace = await newWorkspace()
    for (const slug of ['a', 'b', 'c']) await makeFeature(workspace, { slug })
    const first = await workspace.ok(operations.audit.list, { limit: 2 })
    assert.deepEqual(
      first.entries.map(({ resourceId }) => resourceId),
      ['c', 'b'],
    )
    const next = await workspace.ok(operations.audit.list, { limit: 2, cursor: first.nextCursor })
    assert.deepEqual(
      next.entries.map(({ resourceId }) => resourceId),
      ['a'],
    )
    assert.equal(next.nextCursor, undefined)
    assert.equal((await entriesOf(workspace, { resourceId: 'b' })).length, 1)
    assert.equal((await entriesOf(workspace, { actor: 'tes' })).length, 3)
    assert.equal((await entriesOf(workspace, { resource: 'keys' })).length, 0)
    assert.equal((await entriesOf(workspace, { to: '2020-01-01T00:00:00Z' })).length, 0)
    assert.equal((await entriesOf(workspace, { from: '2020-01-01T00:00:00Z' })).length, 3)
  })

  it('400: the cursor or time is invalid', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(operations.audit.list, { cursor: 'x' }, 400), /cursor/)
    assert.match(await workspace.refused(operations.audit.list, { from: 'soon' }, 400), /from/)
  })
})

describe('audit.everywhere', () => {
  it('400: the cursor belongs to another list', async () => {
    const workspace = await newWorkspace()
    const operator = await workspace.signInOperator()
    assert.match(
      await workspace.refused(operations.audit.everywhere, { cursor: 'x' }, 400, operator),
      /cursor/,
    )
  })
})

describe('audit.export', () => {
  it('200: JSON lines, newest first, of all pages', async () => {
    const workspace = await newWorkspace()
    for (const slug of ['a', 'b', 'c']) await makeFeature(workspace, { slug })
    const { status, text, headers } = await workspace.call(operations.audit.export, { resource: 'features' })
    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /ndjson/)
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry)
    assert.deepEqual(
      lines.map(({ resourceId }) => resourceId),
      ['c', 'b', 'a'],
    )
    assert.deepEqual(lines, await entriesOf(workspace, { resource: 'features' }))
    assert.equal((await lastEntry(workspace, operations.audit.export)).outcome, 'done')
  })

  it('200: includes what was done in the previous millisecond', async () => {
    const workspace = await newWorkspace()
    for (let number = 0; number < 20; number++) {
      await makeFeature(workspace, { slug: `feature-${number}` })
      const { text } = await workspace.call(operations.audit.export, {})
      const [newest] = text.split('\n').map((line) => JSON.parse(line || 'null') as AuditEntry | null)
      assert.equal(newest?.resourceId, `feature-${number}`)
    }
  })

  it('400: the outcome does not exist', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(operations.audit.export, { outcome: 'good' }, 400), /outcome/)
  })
})

describe('audit.settings', () => {
  it('200: a year by default, until an owner changes it', async () => {
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    assert.equal((await workspace.ok(operations.audit.settings)).settings.days, 365)
    await workspace.ok(operations.audit.configure, { days: null }, owner)
    assert.equal((await workspace.ok(operations.audit.settings)).settings.days, null)
  })
})

describe('audit.configure', () => {
  it('200: is logged itself', async () => {
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    const { settings } = await workspace.ok(operations.audit.configure, { days: 90 }, owner)
    assert.equal(settings.days, 90)
    const { before, after } = await lastEntry(workspace, operations.audit.configure)
    assert.deepEqual([before?.days, after?.days], [365, 90])
  })

  it('400: refuses so few days that recent actions would be hidden', async () => {
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    assert.match(await workspace.refused(operations.audit.configure, { days: 29 }, 400, owner), /days/)
  })

  it('403: an admin', async () => {
    const workspace = await newWorkspace()
    const admin = await workspace.signIn('admin')
    await workspace.refused(operations.audit.configure, { days: 90 }, 403, admin)
  })
})

describe('the webhook of a workspace', () => {
  it('receives each entry, signed, with retries until it accepts it, and a change of the URL is logged', async (t) => {
    let failures = 1
    const receiver = await startReceiver((_request, response) => {
      response.statusCode = failures-- > 0 ? 500 : 200
      response.end()
    })
    t.after(receiver.close)
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    const url = `${receiver.url}/a-secret-path`
    const { settings, secret } = await workspace.ok(operations.audit.configure, { webhookUrl: url }, owner)
    assert.match(settings.webhook ?? '', /^127\.0\.0\.1/)
    await makeFeature(workspace)
    const entry = await lastEntry(workspace, operations.features.create)
    await eventually(async () => {
      const message = receiver.requests.findLast(({ headers }) => headers['webhook-id'] === `msg_${entry.id}`)
      const { body, headers } = message ?? assert.fail()
      const verified = new Webhook(secret!).verify(body, headers as Record<string, string>)
      assert.deepEqual(verified, { type: 'audit.entry', timestamp: entry.time, data: { entry } })
    })
    const configured = await lastEntry(workspace, operations.audit.configure)
    assert.equal(configured.before?.webhook, null)
    assert.equal(configured.after?.webhook, settings.webhook)
    assert.doesNotMatch(JSON.stringify(configured), /a-secret-path|whsec_/)
    await eventually(async () => assert.ok(receiver.requests.length >= 3))

    await workspace.ok(operations.audit.configure, { webhookUrl: '' }, owner)
    assert.equal((await workspace.ok(operations.audit.settings)).settings.webhook, null)
    const count = receiver.requests.length
    await makeFeature(workspace, { slug: 'quiet' })
    await app.jobsDrained()
    assert.equal(receiver.requests.length, count)
  })

  it('400: the network policy forbids the URL', async () => {
    const workspace = await newWorkspace()
    const owner = await workspace.signIn('owner')
    const input = { webhookUrl: 'http://169.254.169.254/latest' }
    assert.match(await workspace.refused(operations.audit.configure, input, 400, owner), /^webhookUrl: /)
  })
})

it("the installation's log is for operators only, and a workspace's log has none of it", async () => {
  const workspace = await newWorkspace()
  const owner = await workspace.signIn('owner')
  await workspace.refused(operations.audit.everywhere, {}, 403, owner)
  const { account } = await workspace.ok(
    operations.accounts.lock,
    { id: (await workspace.signIn('viewer')).id },
    await workspace.signInOperator(),
  )
  const [entry] = await everywhere({ operation: 'accounts.lock', resourceId: account.id })
  assert.equal(entry?.workspaceId, null)
  assert.equal(entry.before?.lockedAt, undefined)
  assert.equal(entry.after?.lockedAt, account.lockedAt)
  assert.equal(
    (await entriesOf(workspace)).some(({ operation }) => operation === 'accounts.lock'),
    false,
  )
  assert.notEqual(workspace.id, defaultWorkspaceId)
})
