import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startService } from '../../../sdk/src/testing.ts'
import { makeLivePrompt, makeVersion } from '../../../server/testing/test-app.ts'
import { makeShell } from '../testing.ts'

const { url, workspace } = await startService()
const shell = makeShell(url, workspace.key.secret)
await makeLivePrompt(workspace)
await makeVersion(workspace, { text: 'Say hello kindly.' })

const rollout = (...words: string[]) => shell('prompts', 'rollout', 'greeting', ...words)
const runRollout = async (...words: string[]): Promise<string> => {
  const { status, stdout, stderr } = await rollout(...words)
  assert.equal(status, 0, stderr)
  return stdout
}

it('a rollout is started, shown, increased, rolled back with a reason, and promoted', async () => {
  assert.match((await rollout()).stderr, /No rollout of "greeting" is running for the tag "production"\./)
  const started = await runRollout('--start', '1.0.1', '--share', '10')
  assert.equal(started, 'greeting, production: 1.0.1 to 10 %, 1.0.0 to the others.\n')
  assert.match(
    await runRollout(),
    /^greeting, production: [\s\S]*measure +1\.0\.0 +1\.0\.1 +difference[\s\S]*\ncalls +0 +0\n/,
  )
  assert.match(await runRollout('--share', '25%'), /1\.0\.1 to 25 %/)
  assert.match(
    await runRollout('--rollback', 'It is rude.'),
    /was rolled back; everyone gets 1\.0\.0\. It is rude\./,
  )
  await runRollout('--start', '1.0.1', '--share', '0.5')
  assert.match(await runRollout('--promote'), /1\.0\.1 was promoted\./)
  const { prompt } = await workspace.ok(operations.prompts.get, { slug: 'greeting' })
  assert.equal(prompt.version, '1.0.1')
})

it('invalid options are rejected before any request', async () => {
  assert.equal((await rollout('--start', '1.0.0')).status, 2)
  assert.equal((await rollout('--promote', '--rollback')).status, 2)
  assert.equal((await rollout('--share', '101')).status, 2)
})
