import assert from 'node:assert/strict'
import { it } from 'node:test'
import { checkEntry, type EntryField } from './check-entry.ts'

const email: EntryField = { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' }
const password: EntryField = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autoComplete: 'new-password',
}

it('every field reports its problem', () => {
  assert.deepEqual(Object.keys(checkEntry([email, password], {})), ['email', 'password'])
  assert.match(checkEntry([email], { email: 'ada' }).email ?? '', /e-mail address/)
  assert.match(checkEntry([password], { password: 'too short' }).password ?? '', /at least 10/)
  assert.deepEqual(checkEntry([email, password], { email: 'ada@localhost', password: 'long enough' }), {})
})

it('an existing password may be short', () => {
  const currentPassword: EntryField = { ...password, autoComplete: 'current-password' }
  assert.deepEqual(checkEntry([currentPassword], { password: 'short' }), {})
})
