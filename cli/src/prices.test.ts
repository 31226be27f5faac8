import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { startService } from '../../sdk/src/testing.ts'
import { emptyFolder, makeShell } from './testing.ts'

const { url, workspace } = await startService()
const shell = makeShell(url, workspace.key.secret)

it('shows the price of a model with its list, or that no price is known', async () => {
  const listed = await shell('prices', 'find', 'openai/gpt-4o')
  assert.equal(listed.status, 0, listed.stderr)
  assert.match(listed.stdout, /openai gpt-4o, price-list 20\d\d-\d\d-\d\d/)
  assert.match(listed.stdout, /input +\$2\.5 per million/)
  assert.equal((await shell('prices', 'find', 'nobodys-model')).status, 1)
  assert.match((await shell('prices', 'lists')).stdout, /in use +\d+ +release/)
})

it('sends a list from a file, and prints the response of the service', async () => {
  const file = join(emptyFolder(), 'prices.json')
  writeFileSync(file, JSON.stringify({ name: 'a', version: 'never', providers: [] }))
  const refused = await shell('prices', 'update', '--from', file)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /first workspace|list\.version/)
  writeFileSync(file, '{')
  assert.equal((await shell('prices', 'update', '--from', file)).status, 2)
})

it('compares stored costs with a list', async () => {
  const compared = await shell('prices', 'recompute', '--from', '2026-01-01', '--json')
  assert.equal(compared.status, 0, compared.stderr)
  const { status, differences } = JSON.parse(compared.stdout) as { status: string; differences: object[] }
  assert.deepEqual([status, differences], ['compared', []])
})
