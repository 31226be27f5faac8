import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemsOfLock, readAdvisories, readSignatures } from './read-audit.ts'

describe('what npm reports about packages', () => {
  it('fails on high and critical advisories, and counts the rest', () => {
    const vulnerabilities = {
      bad: { severity: 'high', range: '<2.0.0' },
      meh: { severity: 'low', range: '*' },
    }
    const output = JSON.stringify({ vulnerabilities, metadata: { dependencies: { total: 7 } } })
    assert.deepEqual(readAdvisories(output), {
      type: 'ran',
      summary: '2 in 7 packages',
      problems: ['bad <2.0.0: high'],
    })
  })

  it('distinguishes an unreachable registry from one that found nothing', () => {
    const refused = readAdvisories(JSON.stringify({ message: '405 Method Not Allowed' }))
    assert.deepEqual(refused, { type: 'away', problem: '405 Method Not Allowed' })
    assert.equal(readAdvisories('').type, 'away')
    assert.equal(readSignatures('not json').type, 'away')
    assert.equal(readSignatures('{"error":{"summary":"offline"}}').type, 'away')
    assert.deepEqual(readAdvisories('{"vulnerabilities":{}}'), {
      type: 'ran',
      summary: '0 in 0 packages',
      problems: [],
    })
  })

  it('fails on a signature that is invalid or missing', () => {
    const output = { invalid: [{ name: 'a', version: '1.0.0' }], missing: [{ name: 'b', version: '2.0.0' }] }
    const answer = readSignatures(JSON.stringify(output))
    assert.deepEqual(answer.type === 'ran' && answer.problems, [
      'a@1.0.0: its signature is invalid',
      'b@2.0.0: it has no signature',
    ])
  })
})

it('the lock file has no package without a URL, from another registry, without a strong hash, or with an unapproved script', () => {
  const integrity = 'sha512-x'
  const resolved = 'https://registry.npmjs.org/x.tgz'
  const packages = {
    '': {},
    server: {},
    'node_modules/@plumbline/server': { link: true },
    'node_modules/good': { resolved, integrity },
    'node_modules/scripted': { resolved, integrity, hasInstallScript: true },
    'node_modules/allowed': { resolved, integrity, hasInstallScript: true },
    'node_modules/nowhere': { integrity },
    'node_modules/good/node_modules/elsewhere': { resolved: 'git+ssh://git@example.com/x.git' },
  }
  const answer = problemsOfLock({ packages }, { allowScripts: { allowed: true } })
  assert.deepEqual(answer.type === 'ran' && answer.problems, [
    'node_modules/scripted: it has an install script, and package.json does not say whether it may run',
    'node_modules/nowhere: it has no URL, so npm would look up all its versions first',
    'node_modules/good/node_modules/elsewhere: it is not from https://registry.npmjs.org/',
    'node_modules/good/node_modules/elsewhere: it has no SHA-512',
  ])
})
