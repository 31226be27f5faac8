import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chooseVersion } from './choose-version.ts'

const versions = [
  { version: '1.2.0', tags: ['latest'] },
  { version: '1.1.0', tags: ['staging'] },
  { version: '1.0.0', tags: ['production', 'stable'] },
]
const chooseNumber = (request: { version?: string | null; tag?: string | null }, candidates = versions) => {
  const choice = chooseVersion(candidates, request)
  return choice && [choice.version.version, choice.tag, choice.isFallback]
}

describe('the served version of a prompt', () => {
  it('is the production version by default', () => {
    assert.deepEqual(chooseNumber({}), ['1.0.0', 'production', false])
    assert.deepEqual(chooseNumber({ version: '', tag: null }), ['1.0.0', 'production', false])
  })
  it('is the requested version', () =>
    assert.deepEqual(chooseNumber({ version: '1.2.0' }), ['1.2.0', '', false]))
  it('is the version with the requested tag', () => {
    assert.deepEqual(chooseNumber({ tag: 'staging' }), ['1.1.0', 'staging', false])
    assert.deepEqual(chooseNumber({ tag: 'stable' }), ['1.0.0', 'stable', false])
  })
  it('is the requested version if a tag is requested too', () => {
    assert.deepEqual(chooseNumber({ version: '1.2.0', tag: 'staging' }), ['1.2.0', '', false])
  })
  it('falls back to production if the request matches nothing, and returns the served tag', () => {
    assert.deepEqual(chooseNumber({ version: '9.9.9' }), ['1.0.0', 'production', true])
    assert.deepEqual(chooseNumber({ tag: 'nobody' }), ['1.0.0', 'production', true])
    assert.deepEqual(chooseNumber({ version: '9.9.9', tag: 'staging' }), ['1.0.0', 'production', true])
  })
  it('is undefined without a production version to fall back to', () => {
    assert.equal(chooseNumber({}, versions.slice(0, 2)), undefined)
    assert.equal(chooseNumber({ version: '9.9.9' }, versions.slice(0, 2)), undefined)
    assert.deepEqual(chooseNumber({ version: '1.1.0' }, versions.slice(0, 2)), ['1.1.0', '', false])
  })

  it('is the requested one, or production marked as a fallback, or none', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'production', '')
    const generated = fc.uniqueArray(fc.record({ version: name, tags: fc.array(name, { maxLength: 3 }) }), {
      selector: ({ version }) => version,
    })
    const requests = fc.record({ version: fc.option(name), tag: fc.option(name) })
    fc.assert(
      fc.property(generated, requests, (candidates, request) => {
        const choice = chooseVersion(candidates, request)
        const production = candidates.find(({ tags }) => tags.includes('production'))
        if (choice === undefined) return assert.equal(production, undefined)
        if (choice.isFallback) return assert.equal(choice.version, production)
        if (request.version) return assert.equal(choice.version.version, request.version)
        assert.ok(choice.version.tags.includes(request.tag || 'production'))
      }),
    )
  })
})
