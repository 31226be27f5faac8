import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { emptyDatabase } from '@plumbline/storage/control/testing'
import { startTestApp } from '../../testing/test-app.ts'

const database = await emptyDatabase()
assert.ok('url' in database.location)
const { newWorkspace, close } = await startTestApp({ settings: { DATABASE_URL: database.location.url } })
after(async () => {
  await close()
  await database.remove()
})

it('an Idempotency-Key works with a URL of any length, although PostgreSQL limits index entries', async () => {
  const workspace = await newWorkspace()
  // Random, since PostgreSQL compresses.
  const slug = randomBytes(2000).toString('hex')
  const once = { headers: { 'idempotency-key': 'once' } }
  const input = { slug, newTag: 'production', version: '1.0.0' }
  await workspace.refused(operations.prompts.publish, input, 404, once)
})
