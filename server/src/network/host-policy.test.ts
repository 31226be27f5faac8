/** L9: which hosts requests to user-entered URLs may reach. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { makeGuardedFetch, refusalOf } from './guarded-fetch.ts'
import { type HostPolicy, mayReach, readHostList } from './host-policy.ts'

const policyOf = (text: string, allowsPrivate = false): HostPolicy => ({
  hosts: readHostList(text),
  allowsPrivate,
})
const isAllowed = (address: string, policy: HostPolicy): boolean => refusalOf(address, policy) === undefined

describe('a list of hosts (L9)', () => {
  it('allows its hosts, with the named port or any, also without https, and no others', () => {
    const policy = policyOf('models.internal, 10.0.0.5:8000, [fd00::5]:9000, 192.168.7.0/24')
    for (const address of [
      'http://models.internal/v1',
      'http://MODELS.internal:1234/v1',
      'https://10.0.0.5:8000/',
      'http://[fd00::5]:9000/',
      'http://192.168.7.99:11434/v1',
      'https://api.example.com/v1',
    ])
      assert.equal(isAllowed(address, policy), true, address)
    for (const address of [
      'http://10.0.0.5/',
      'https://10.0.0.5:8001/',
      'https://10.0.0.6:8000/',
      'https://[fd00::5]/',
      'https://192.168.8.1/',
      'http://api.example.com/v1',
      'http://x.models.internal/',
      'https://127.0.0.1/',
    ])
      assert.equal(isAllowed(address, policy), false, address)
  })

  it('reports entries that are not hosts', () => {
    for (const text of ['http://a', 'a b', 'a/b', '10.0.0.0/40', 'u@a', 'a:b'])
      assert.equal(readHostList(text), undefined, text)
    for (const text of ['a', 'a:443', 'a:80', '127.0.0.1', '::1', '[::1]:80', 'A.B, 10.0.0.0/8'])
      assert.notEqual(readHostList(text), undefined, text)
  })
})

describe('cloud metadata services (L9)', () => {
  const addresses = [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fe80::1',
    '100.100.100.200',
    'fd00:ec2::254',
    '64:ff9b::a9fe:a9fe',
  ]

  it('are unreachable by a range, by a name that resolves to them, and if all private addresses are allowed', () => {
    for (const policy of [
      policyOf('169.254.0.0/16,100.64.0.0/10,fd00::/8,metadata.internal'),
      policyOf('', true),
    ])
      for (const address of addresses) assert.equal(mayReach(address, true, policy), false, address)
    assert.equal(isAllowed('http://169.254.169.254/latest', policyOf('', true)), false)
  })

  it('are reachable only if exactly their address is named', () => {
    assert.equal(mayReach('169.254.169.254', false, policyOf('169.254.169.254')), true)
    assert.equal(isAllowed('http://169.254.169.254/latest', policyOf('169.254.169.254')), true)
  })
})

describe('a request to a named host (L9)', async () => {
  const server = createServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const [namedHostFetch, other, ranged] = [`localhost:${port}`, 'localhost:1', '127.0.0.0/8,::1/128'].map(
    (text) => makeGuardedFetch(policyOf(text)),
  )
  after(async () => {
    await Promise.all([namedHostFetch?.close(), other?.close(), ranged?.close()])
    server.close()
  })

  it('arrives, and a request to another port does not', async () => {
    assert.equal(await (await namedHostFetch!.fetch(`http://localhost:${port}/`)).text(), 'here')
    await assert.rejects(other!.fetch(`https://localhost:${port}/`), /fetch failed|private network/)
    await assert.rejects(other!.fetch(`http://localhost:${port}/`), /must start with https/)
  })

  it('arrives if the range of its address is named', async () => {
    assert.equal(await (await ranged!.fetch(`http://127.0.0.1:${port}/`)).text(), 'here')
  })
})
