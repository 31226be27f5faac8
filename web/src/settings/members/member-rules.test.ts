import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member } from '@plumbline/sdk'
import { givableRoles, whyFixed } from './member-rules.ts'

const member = (id: string, role: Member['role']): Member => ({
  id,
  role,
  name: id,
  email: `${id}@example.com`,
  joinedAt: '2024-01-01T00:00:00Z',
})
const [ada, bob, cy] = [member('ada', 'owner'), member('bob', 'owner'), member('cy', 'editor')]

test('the last owner cannot be changed, and the reason is given', () => {
  assert.match(whyFixed(ada, [ada, cy], ada) ?? '', /only owner/)
  assert.equal(whyFixed(ada, [ada, bob, cy], bob), undefined)
})

test('an admin can change everyone except owners, and cannot make owners', () => {
  const admin = { id: 'x', role: 'admin' } as const
  assert.match(whyFixed(ada, [ada, bob], admin) ?? '', /Only owners/)
  assert.equal(whyFixed(cy, [ada, cy], admin), undefined)
  assert.ok(!givableRoles('admin').some(({ value }) => value === 'owner'))
  assert.ok(givableRoles('owner').some(({ value }) => value === 'owner'))
})
