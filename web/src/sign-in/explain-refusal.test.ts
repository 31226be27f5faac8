import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { explainRefusal } from './explain-refusal.ts'

describe('why the identity provider signed nobody in', () => {
  it('is a sentence for what a person can do something about, in the case of either side', () => {
    assert.match(
      explainRefusal('account_not_linked', 'Keycloak'),
      /^An account with .* Keycloak has not verified/,
    )
    assert.match(explainRefusal('ACCOUNT_LOCKED', 'Keycloak'), /locked; ask the operator/)
    assert.match(explainRefusal('access_denied', 'Keycloak'), /^Keycloak did not let you in/)
    assert.match(explainRefusal('state_mismatch'), /Try again\.$/)
  })

  it('names another code, and shows no text that an address carries', () => {
    assert.match(explainRefusal('invalid_code', 'Okta'), /^The sign-in with Okta failed \(invalid_code\)\. /)
    assert.match(
      explainRefusal('call +1 555 to unlock'),
      /^The sign-in with the identity provider failed\. Try again\./,
    )
    assert.match(explainRefusal('constructor'), /failed \(constructor\)/)
  })
})
