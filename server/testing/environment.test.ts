import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { settings } from '../src/config.ts'

it('tests and what they start know no setting of somebody else: neither of the service nor of its clients', async () => {
  const before = { ...hostEnvironment }
  const ofClients = ['PLUMBLINE_URL', 'PLUMBLINE_ENABLED', 'PLUMBLINE_FEATURE', 'OTEL_TRACES_SAMPLER']
  for (const name of [...Object.keys(settings), 'SMTP_URL_FILE', ...ofClients])
    hostEnvironment[name] = 'theirs'
  hostEnvironment.PLUMBLINE_TEST_KEPT = 'ours'
  // As a test loads it that starts in such an environment.
  const again = `../../fixtures/environment.ts?${Date.now()}`
  await import(again)
  assert.deepEqual({ ...hostEnvironment }, { ...before, PLUMBLINE_TEST_KEPT: 'ours' })
  delete hostEnvironment.PLUMBLINE_TEST_KEPT
})
