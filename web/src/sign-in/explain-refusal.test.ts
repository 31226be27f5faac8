import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { explainRefusal } from './explain-refusal.ts'

describe('the reason why a single sign-on failed', () => {
  it('is a sentence if the user can act on it, in lower or upper case', () => {
    assert.match(
      explainRefusal('account_not_linked', 'Keycloak'),
      /^An account with .* Keycloak has not verified/,
    )
    assert.match(explainRefusal('ACCOUNT_LOCKED', 'Keycloak'), /locked; ask the operator/)
    assert.match(explainRefusal('access_denied', 'Keycloak'), /^Keycloak did not let you in/)
    assert.match(explainRefusal('state_mismatch'), /Try again\.$/)
  })

  it('names other codes, and shows no text from the URL', () => {
    assert.match(explainRefusal('invalid_code', 'Okta'), /^The sign-in with Okta failed \(invalid_code\)\. /)
    assert.match(
      explainRefusal('call +1 555 to unlock'),
      /^The sign-in with the identity provider failed\. Try again\./,
    )
    assert.match(explainRefusal('constructor'), /failed \(constructor\)/)
  })
})
