/** Data written by an older version is migrated and reads back as that version returned it: fixtures/data-directory. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import { pino } from 'pino'
import {
  type RecordedResponse,
  type Recording,
  recordedKey,
  recordedPerson,
} from '../../../../fixtures/data-directory/record.ts'
import { type App, createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'

const fixtures = resolve(import.meta.dirname, '../../../../fixtures/data-directory')
const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Signs in, and resolves with the headers of a web app request. */
async function signIn({ server }: App): Promise<Record<string, string>> {
  const page = { 'sec-fetch-site': 'same-origin' }
  const url = '/auth/sign-in/email'
  const response = await server.inject({ method: 'POST', url, payload: recordedPerson, headers: page })
  assert.equal(response.statusCode, 200, response.payload)
  return {
    ...page,
    cookie: response.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; '),
  }
}

/** Asserts that a value has everything that was recorded; newer fields may be added. */
function assertHolds(actual: unknown, reference: unknown, path: string): void {
  if (typeof reference !== 'object' || reference === null) {
    assert.deepEqual(actual, reference, path)
    return
  }
  assert.ok(typeof actual === 'object' && actual !== null, path)
  if (Array.isArray(reference)) assert.equal((actual as unknown[]).length, reference.length, path)
  for (const [name, value] of Object.entries(reference))
    assertHolds((actual as Record<string, unknown>)[name], value, `${path}.${name}`)
}

for (const name of readdirSync(fixtures).filter((file) => file.endsWith('.json'))) {
  describe(`a data directory of ${name.replace('.json', '')}`, async () => {
    const { recordedAt, responses } = JSON.parse(readFileSync(join(fixtures, name), 'utf8')) as Recording
    const dataFolder = mkdtempSync(join(folder, 'data-'))
    execFileSync('tar', ['-xzf', join(fixtures, name.replace('.json', '.tar.gz')), '-C', dataFolder])
    const app = await createApp({
      config: readConfig({ PLUMBLINE_RATE_LIMIT_PER_MINUTE: '0' }),
      dataFolder,
      logger: pino({ level: 'silent' }),
      // A minute later, so that nothing has expired.
      now: () => new Date(Date.parse(recordedAt) + 60_000),
    })
    after(() => app.close())
    const person = await signIn(app)
    const readResponse = async ({ url, as }: RecordedResponse): Promise<unknown> => {
      const headers = as === 'person' ? person : { authorization: `Bearer ${recordedKey}` }
      const { statusCode, payload } = await app.server.inject({ method: 'GET', url, headers })
      assert.equal(statusCode, 200, `${url}: ${payload}`)
      return JSON.parse(payload)
    }

    it('has traces, prompts, datasets, evaluations, alerts and users', () => assert.ok(responses.length > 40))

    for (const recorded of responses)
      it(`GET ${recorded.url} responds as before`, async () =>
        assertHolds(await readResponse(recorded), recorded.body, recorded.url))
  })
}
