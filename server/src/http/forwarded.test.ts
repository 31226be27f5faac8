/** L5: which client address and host a request claims, and whose claims are trusted. */
// One control plane is enough: this is about HTTP, not about what is stored.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import type { InjectOptions } from 'fastify'
import { cheapPasswords, startTestApp } from '../../testing/test-app.ts'

const { newWorkspace, send } = await startTestApp({
  settings: { PLUMBLINE_TRUSTED_PROXIES: '192.0.2.0/24' },
  passwordHash: cheapPasswords,
})
const proxy = '192.0.2.1'
const workspace = await newWorkspace()
const authorization = `Bearer ${workspace.key.secret}`
let invited = 0

/** The invitation link in the response to such a request. */
async function linkFor({ headers, ...request }: Partial<InjectOptions>): Promise<string> {
  const { status, text } = await send({
    method: 'POST',
    url: '/invitations',
    payload: { email: `p${invited++}@example.com`, role: 'viewer' },
    headers: { authorization, ...headers },
    ...request,
  })
  assert.equal(status, 201, text)
  return (JSON.parse(text) as { url: string }).url.replace(/token=.*/, 'token=')
}

describe('an invalid Host', () => {
  // The fuzzer found that an empty one returned 500.
  it('does not prevent signing in', async () => {
    for (const host of ['é:x', ':', ' ']) {
      const answer = await send({
        method: 'POST',
        url: '/auth/sign-in/email',
        payload: { email: 'nobody@example.com', password: 'correct horse' },
        headers: { host, 'sec-fetch-site': 'same-origin' },
      })
      assert.equal(answer.status, 401, `${host}: ${answer.text}`)
    }
  })
})

describe('a link that is passed on to others (L5)', () => {
  it('is a path if the Host could be forged', async () => {
    for (const host of [
      'evil.example',
      'evil.example:4747',
      '203.0.113.9',
      '[2001:db8::1]',
      'localhost.evil.example',
    ])
      assert.equal(await linkFor({ headers: { host } }), '/app/join?token=', host)
  })

  it('uses a local Host', async () => {
    for (const host of [
      'localhost:4747',
      '127.0.0.1:4747',
      '[::1]:4747',
      '192.168.1.5:4747',
      'plumbline:4747',
      'box.local',
    ])
      assert.equal(await linkFor({ headers: { host } }), `http://${host}/app/join?token=`)
  })

  it('uses the host from a trusted proxy, and from no other client', async () => {
    const headers = {
      'x-forwarded-host': 'plumbline.example',
      'x-forwarded-proto': 'https',
      host: 'localhost',
    }
    assert.equal(
      await linkFor({ headers, remoteAddress: proxy }),
      'https://plumbline.example/app/join?token=',
    )
    assert.equal(
      await linkFor({ headers, remoteAddress: '198.51.100.1' }),
      'http://localhost/app/join?token=',
    )
  })
})

describe('sign-in limits (L5)', () => {
  /** Statuses of this many sign-ins with a wrong password, each with another email address. */
  async function signIns(
    count: number,
    request: (index: number) => Partial<InjectOptions>,
  ): Promise<number[]> {
    const statuses = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const { headers, ...rest } = request(index)
        const allHeaders = { 'sec-fetch-site': 'same-origin', ...headers }
        const payload = { email: `${crypto.randomUUID()}@example.com`, password: 'x' }
        return (
          await send({ method: 'POST', url: '/auth/sign-in/email', payload, headers: allHeaders, ...rest })
        ).status
      }),
    )
    return [...new Set(statuses)].sort()
  }
  const forwardFor = (address: string) => ({ headers: { 'x-forwarded-for': address } })

  it('count users behind a trusted proxy separately', async () => {
    const behindProxy = (index: number) => ({
      ...forwardFor(`198.51.100.${index % 4}`),
      remoteAddress: proxy,
    })
    assert.deepEqual(await signIns(100, behindProxy), [401])
  })

  it('ignore the port that a proxy sends with a client address', async () => {
    for (const address of ['198.51.100.30', '[2001:db8:7:7::1]']) {
      const behindProxy = (index: number) => ({
        ...forwardFor(`${address}:${40_000 + index}`),
        remoteAddress: proxy,
      })
      assert.deepEqual(await signIns(100, behindProxy), [401, 429], address)
    }
  })

  it('ignore the header from anyone else', async () => {
    const alone = (index: number) => ({
      ...forwardFor(`198.51.100.${index % 4}`),
      remoteAddress: '203.0.113.50',
    })
    assert.deepEqual(await signIns(100, alone), [401, 429])
  })

  it('count an IPv6 /64 as one address', async () => {
    const household = (index: number) => ({ remoteAddress: `2001:db8:5:5::${index.toString(16)}` })
    assert.deepEqual(await signIns(100, household), [401, 429])
    const others = (index: number) => ({ remoteAddress: `2001:db8:6:${index.toString(16)}::1` })
    assert.deepEqual(await signIns(100, others), [401])
  })
})

describe('the address in the audit log', () => {
  /** The logged address of a change that came through these proxies. */
  async function auditedAddress(forwardedFor: string): Promise<string | null> {
    await linkFor({ headers: { 'x-forwarded-for': forwardedFor }, remoteAddress: proxy })
    const { entries } = await workspace.ok(operations.audit.list, { limit: 1 })
    return entries[0]!.address
  }

  it("is the client's, in each form that proxies write, or else the proxy's", async () => {
    for (const [forwardedFor, address] of [
      ['198.51.100.7', '198.51.100.7'],
      ['198.51.100.7:51234', '198.51.100.7'],
      ['[2001:db8::5]:443', '2001:db8::5'],
      ['[2001:db8::5]', '2001:db8::5'],
      ['203.0.113.1, 198.51.100.7:51234, 192.0.2.9:80', '198.51.100.7'],
      ['made up, 198.51.100.7', '198.51.100.7'],
      ['unknown', proxy],
      ['203.0.113.1, unknown, 192.0.2.9', '192.0.2.9'],
      ['<script>', proxy],
    ] as const)
      assert.equal(await auditedAddress(forwardedFor), address, forwardedFor)
  })
})

describe('a URL that only the caller receives', () => {
  it('uses the host that the caller requested', async () => {
    const headers = { host: 'plumbline.example' }
    const { uploadUrl } = await workspace.ok(
      operations.files.sign,
      { fileName: 'a', contentType: 'text/plain' },
      { headers },
    )
    assert.match(uploadUrl, /^http:\/\/plumbline\.example\/files\/upload\//)
  })
})
