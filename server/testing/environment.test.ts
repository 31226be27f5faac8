import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { settings } from '../src/config.ts'

it("tests and the processes they start see no settings of the environment: neither the service's nor its clients'", async () => {
  const before = { ...hostEnvironment }
  const ofClients = ['PLUMBLINE_URL', 'PLUMBLINE_ENABLED', 'PLUMBLINE_FEATURE', 'OTEL_TRACES_SAMPLER']
  for (const name of [...Object.keys(settings), 'SMTP_URL_FILE', ...ofClients])
    hostEnvironment[name] = 'theirs'
  hostEnvironment.PLUMBLINE_TEST_KEPT = 'ours'
  // Loaded in the way a test is that starts in such an environment.
  const again = `../../fixtures/environment.ts?${Date.now()}`
  await import(again)
  assert.deepEqual({ ...hostEnvironment }, { ...before, PLUMBLINE_TEST_KEPT: 'ours' })
  delete hostEnvironment.PLUMBLINE_TEST_KEPT
})
