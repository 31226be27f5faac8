import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashSecret, isMistyped, makeSecret, shownPrefix } from './secret.ts'

describe('the secret of an API key', () => {
  it('is pl_ and 49 base 62 characters', () => assert.match(makeSecret(), /^pl_[0-9A-Za-z]{49}$/))
  it('is never generated twice', () =>
    assert.equal(new Set(Array.from({ length: 1000 }, makeSecret)).size, 1000))
  it('is recognized as mistyped if any one character is different', () => {
    const secret = makeSecret()
    assert.equal(isMistyped(secret), false)
    for (let index = 3; index < secret.length; index++) {
      const other = secret[index] === 'x' ? 'y' : 'x'
      assert.equal(isMistyped(secret.slice(0, index) + other + secret.slice(index + 1)), true, `at ${index}`)
    }
  })
  it('in another form is not called mistyped, since operators may configure any', () => {
    assert.equal(isMistyped('a-preset-key-of-mine'), false)
  })
  it('cannot be derived from what is stored or shown', () => {
    const secret = makeSecret()
    assert.equal(hashSecret(secret).length, 64)
    assert.ok(!hashSecret(secret).includes(secret.slice(3, 12)))
    assert.equal(shownPrefix(secret), secret.slice(0, 9))
  })
})
