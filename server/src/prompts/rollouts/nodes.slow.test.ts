/** Two nodes on one PostgreSQL serve the same version to the same key, and both stop when an alert fires on either. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startHttpEngine } from '@plumbline/storage/traces/testing/http-engine'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startPostgres } from '../../../../scripts/test/postgres-for-tests.ts'
import { startServer } from '../../../testing/server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const apiKey = 'pl_test_key_0123456789'
const database = await startPostgres()
const engine = await startHttpEngine(join(folder, 'engine'))
const nodes = ['one', 'two'].map((name) =>
  startServer(join(folder, name), apiKey, { DATABASE_URL: database.url, CLICKHOUSE_URL: engine.url }),
)
after(async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  await engine.stop()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
})
const [firstUrl = assert.fail(), two = assert.fail()] = await Promise.all(nodes.map((node) => node.url))

async function call<Answer>(url: string, request: string, body?: object): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ')
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  assert.ok(answer.ok, text)
  // Safe: the caller names the type of the operation's response.
  return JSON.parse(text) as Answer
}

const keys = Array.from({ length: 60 }, (_, index) => `user-${index}`)
const versionsOn = (url: string): Promise<string[]> =>
  Promise.all(
    keys.map(async (key) => {
      const answer = await call<{ prompt: { version: string } }>(
        url,
        `GET /prompts/greeting?targetingKey=${key}`,
      )
      return answer.prompt.version
    }),
  )

test('both nodes select the same version, and a firing alert rolls back once, for both', async () => {
  await call(firstUrl, 'POST /prompts', { slug: 'greeting', name: 'Greeting' })
  await call(firstUrl, 'POST /prompts/greeting/versions', { text: 'one', tags: ['production'] })
  await call(firstUrl, 'POST /prompts/greeting/versions', { text: 'two' })
  // It would fire at its first check, since nothing is recorded.
  const silence = { measure: 'traces', windowMinutes: 5, condition: 'below', threshold: 1, delaySeconds: 0 }
  const watch = { name: 'Silence', ...silence, isEnabled: false }
  const { alert } = await call<{ alert: { id: string } }>(firstUrl, 'POST /alerts', watch)
  const newRollout = { promptSlug: 'greeting', candidateVersion: '1.0.1', share: 0.4, alertIds: [alert.id] }
  const { rollout } = await call<{ rollout: { id: string } }>(two, 'POST /rollouts', newRollout)

  const sampled = await versionsOn(two)
  assert.deepEqual(new Set(sampled), new Set(['1.0.0', '1.0.1']))
  await eventually(async () => assert.deepEqual(await versionsOn(firstUrl), sampled))

  await call(firstUrl, `PATCH /alerts/${alert.id}`, { isEnabled: true })
  for (const url of [firstUrl, two])
    await eventually(async () => {
      assert.deepEqual(new Set(await versionsOn(url)), new Set(['1.0.0']))
      const ended = await call<{ rollout: object }>(url, `GET /rollouts/${rollout.id}`)
      assert.partialDeepStrictEqual(ended.rollout, { status: 'rolled_back', endedByAlertId: alert.id })
    })
})
