import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { recordTrace, startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

let now = new Date()
const { app, newWorkspace, send } = await startTestApp({ now: () => now })
const { list, create, delete: remove } = operations.shares

const nowhere = '01890000-0000-7000-8000-000000000000'

async function shareTrace(fields: object = {}, workspace?: TestWorkspace) {
  const owner = workspace ?? (await newWorkspace())
  const { id: traceId } = await recordTrace(owner, {
    name: 'Refund for ada@example.com',
    user: { id: 'u-1', name: 'Ada Lovelace' },
    input: { question: 'My card 4111 1111 1111 1111, mail ada@example.com' },
    logs: [
      { id: 'a', type: 'tool', name: 'look up', output: 'key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789' },
    ],
  })
  const { share } = await owner.ok(create, { traceId, ...fields })
  return { workspace: owner, traceId, share }
}

const readShare = async (url: string) => {
  const answer = await send({ method: 'GET', url: url.replace(/^.*\/app\/share\//, '/shared/') })
  return { ...answer, body: JSON.parse(answer.text) }
}

describe('shares.create', () => {
  it('201: anyone with the link can read the trace, without personal data and masked', async () => {
    const { workspace, traceId, share } = await shareTrace()
    assert.equal(share.traceId, traceId)
    assert.equal(Date.parse(share.expiresAt) - Date.parse(share.createdAt), 7 * 86_400_000)
    await workspace.ok(operations.scores.create, {
      traceId,
      name: 'quality',
      value: 1,
      comment: 'Ada Lovelace',
    })
    await app.flush()
    const { status, headers, text, body } = await readShare(share.url)
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(body.trace.name, 'Refund for [email]')
    assert.equal(body.trace.logs.length, 1)
    assert.deepEqual([body.trace.user, body.trace.organization, body.trace.scores], [null, null, []])
    // The id is random, and may contain any digits.
    const withoutId = text.replaceAll(traceId, '')
    for (const secret of ['ada@example.com', '4111', 'sk-proj', 'Lovelace', 'u-1'])
      assert.ok(!withoutId.includes(secret), `${secret} in ${text}`)
  })

  it('201: nothing in the response names the user, the organization or the session', async () => {
    const owner = await newWorkspace()
    const people = {
      'user.id': 'u-77',
      'user.name': 'Ada',
      'langfuse.user.id': 'u-77',
      'session.id': 'of Ada',
    }
    await owner.ok(operations.features.create, { slug: 'o-77', name: 'For the navy' })
    const { id: traceId } = await recordTrace(owner, {
      name: 'u-77',
      ...{ featureSlug: 'o-77', environment: 'Navy', release: 'o-77' },
      user: { id: 'u-77', name: 'Ada' },
      organization: { id: 'o-77', name: 'Navy' },
      sessionId: 'session of u-77',
      metadata: {
        ...{
          userId: 'other name of u-77',
          username: 'lovelace',
          userid: '77',
          sessionid: 's',
          tenantID: 't',
        },
        ...{ attributes: people, team: 'blue', user_agent: 'curl', users: 3 },
      },
      logs: [
        {
          id: 'a',
          type: 'generation',
          input: ['Ada', 'hello'],
          output: 'session of u-77',
          metadata: { enduser: { id: 'u-77' }, 'organization.id': 'o-77', tenant: 'Navy', color: 'red' },
          variables: [{ label: 'name', value: 'Ada' }],
        },
      ],
    })
    const { share } = await owner.ok(create, { traceId })
    for (let reads = 0; reads < 2; reads++) {
      const { text, body } = await readShare(share.url)
      for (const name of ['u-77', 'Ada', 'o-77', 'Navy', 'lovelace'])
        assert.ok(!text.replaceAll(traceId, '').includes(name), `${name} in ${text}`)
      assert.deepEqual(body.trace.metadata, {
        attributes: {},
        team: 'blue',
        user_agent: 'curl',
        users: 3,
      })
      assert.deepEqual(body.trace.logs[0].metadata, { color: 'red' })
      assert.deepEqual(body.trace.logs[0].input, ['[removed]', 'hello'])
    }
  })

  it('400: names the wrong field', async () => {
    const { workspace, traceId } = await shareTrace()
    assert.match(await workspace.refused(create, { traceId, days: 91 }, 400), /^days: /)
    assert.match(await workspace.refused(create, {}, 400), /^traceId: /)
  })

  it('404: for a trace of another workspace', async () => {
    const { traceId } = await shareTrace()
    await (await newWorkspace()).refused(create, { traceId }, 404)
  })
})

describe('shares.list', () => {
  it('200: lists the links of a trace, with their creators', async () => {
    const { workspace, traceId, share } = await shareTrace()
    await shareTrace({}, workspace)
    assert.deepEqual((await workspace.ok(list, { traceId })).shares, [share])
    assert.equal((await workspace.ok(list)).shares.length, 2)
    assert.ok(share.createdByName !== undefined)
  })
})

describe('shares.delete', () => {
  it('204: the link stops working at once, and stays in the list', async () => {
    const { workspace, traceId, share } = await shareTrace()
    // A response that was served once is cached, but must not outlive its link.
    assert.equal((await readShare(share.url)).status, 200)
    await workspace.ok(remove, { id: share.id })
    const { status, body } = await readShare(share.url)
    assert.deepEqual([status, body.error], [404, 'This link was revoked.'])
    const [listed] = (await workspace.ok(list, { traceId })).shares
    assert.ok(listed?.revokedAt !== undefined)
  })

  it('404: for a link of another workspace', async () => {
    const { share } = await shareTrace()
    const other = await newWorkspace()
    await other.refused(remove, { id: share.id }, 404)
    await other.refused(remove, { id: nowhere }, 404)
  })
})

describe('a share link', () => {
  it('expires', async () => {
    const { share } = await shareTrace({ days: 1 })
    assert.equal((await readShare(share.url)).status, 200)
    const before = now
    now = new Date(now.getTime() + 86_400_000)
    const { status, body } = await readShare(share.url)
    now = before
    assert.deepEqual([status, body.error], [404, 'This link has expired.'])
  })

  it('can be read 60 times a minute at most, each link separately', async () => {
    const { workspace, share } = await shareTrace()
    await workspace.ok(remove, { id: share.id })
    for (let count = 0; count < 60; count += 1) assert.equal((await readShare(share.url)).status, 404)
    const { status, headers } = await readShare(share.url)
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 0)
    assert.equal((await readShare((await shareTrace({}, workspace)).share.url)).status, 200)
  })

  it('works only with its own signature', async () => {
    const { share, workspace } = await shareTrace()
    const other = await shareTrace({}, workspace)
    const token = share.url.split('/').at(-1)!
    const [workspaceId, id, signature] = token.split('.')
    const forged = [
      `${workspaceId}.${other.share.id}.${signature}`,
      `${(await newWorkspace()).id}.${id}.${signature}`,
      `${workspaceId}.${id}.`,
      `${workspaceId}.${id}.${'A'.repeat(43)}`,
      `${token}.x`,
      'x',
    ]
    for (const wrong of forged) {
      const { status, body } = await readShare(`/shared/${wrong}`)
      assert.deepEqual([status, body.error], [404, 'This link was not made by this service.'], wrong)
    }
  })

  it('is deleted with its trace', async () => {
    const { workspace, traceId, share } = await shareTrace()
    await app.flush()
    assert.equal((await readShare(share.url)).status, 200)
    await workspace.ok(operations.traces.delete, { id: traceId })
    assert.equal((await readShare(share.url)).status, 404)
  })
})
