/** L5: what a request says of its address and its host, and whose word counts. */
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

/** The link of an invitation that is asked for in this way. */
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

describe('a Host that is none', () => {
  // The fuzzer found it: an empty one answered 500.
  it('does not keep anybody from signing in', async () => {
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
  it('is a path where the Host could be made up', async () => {
    for (const host of [
      'evil.example',
      'evil.example:4747',
      '203.0.113.9',
      '[2001:db8::1]',
      'localhost.evil.example',
    ])
      assert.equal(await linkFor({ headers: { host } }), '/app/join?token=', host)
  })

  it('goes by a Host that is local', async () => {
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

  it('goes by the host that a trusted proxy tells, and by that of no other', async () => {
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

describe('limits of signing in (L5)', () => {
  /** Statuses of so many sign-ins with a wrong password, each in another name. */
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

  it('tell people behind a trusted proxy apart', async () => {
    const behindProxy = (index: number) => ({
      ...forwardFor(`198.51.100.${index % 4}`),
      remoteAddress: proxy,
    })
    assert.deepEqual(await signIns(100, behindProxy), [401])
  })

  it('count the address of a person whatever port a proxy tells with it', async () => {
    for (const address of ['198.51.100.30', '[2001:db8:7:7::1]']) {
      const behindProxy = (index: number) => ({
        ...forwardFor(`${address}:${40_000 + index}`),
        remoteAddress: proxy,
      })
      assert.deepEqual(await signIns(100, behindProxy), [401, 429], address)
    }
  })

  it('do not believe anybody else', async () => {
    const alone = (index: number) => ({
      ...forwardFor(`198.51.100.${index % 4}`),
      remoteAddress: '203.0.113.50',
    })
    assert.deepEqual(await signIns(100, alone), [401, 429])
  })

  it('count a /64 of IPv6 together', async () => {
    const household = (index: number) => ({ remoteAddress: `2001:db8:5:5::${index.toString(16)}` })
    assert.deepEqual(await signIns(100, household), [401, 429])
    const others = (index: number) => ({ remoteAddress: `2001:db8:6:${index.toString(16)}::1` })
    assert.deepEqual(await signIns(100, others), [401])
  })
})

describe('the address in the audit log', () => {
  /** What it has of a change that came so through proxies. */
  async function auditedAddress(forwardedFor: string): Promise<string | null> {
    await linkFor({ headers: { 'x-forwarded-for': forwardedFor }, remoteAddress: proxy })
    const { entries } = await workspace.ok(operations.audit.list, { limit: 1 })
    return entries[0]!.address
  }

  it('is that of the client, in each form that proxies write, or else that of the proxy', async () => {
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

describe('what is told the caller alone', () => {
  it('goes by the address that it called', async () => {
    const headers = { host: 'plumbline.example' }
    const { uploadUrl } = await workspace.ok(
      operations.files.sign,
      { fileName: 'a', contentType: 'text/plain' },
      { headers },
    )
    assert.match(uploadUrl, /^http:\/\/plumbline\.example\/files\/upload\//)
  })
})
