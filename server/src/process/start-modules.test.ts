/** What the service loads at its start stays in its memory for as long as it runs. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { it } from 'node:test'
import { hostEnvironment } from '../../../fixtures/environment.ts'

const app = new URL('../app.ts', import.meta.url)

it('the client of other services is not loaded at the start, neither ours nor that of Node', () => {
  const script = `
    import { createRequire } from 'node:module'
    await import(${JSON.stringify(app.href)})
    const packages = Object.keys(createRequire(${JSON.stringify(app.href)}).cache)
    console.log(JSON.stringify([...packages, ...process.moduleLoadList]))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: hostEnvironment,
    encoding: 'utf8',
  })
  // Safe: the script has written it.
  const loaded = JSON.parse(output) as string[]
  assert.ok(loaded.some((name) => /node_modules\/fastify\//.test(name)))
  assert.deepEqual(
    loaded.filter((name) => /undici\//.test(name)),
    [],
  )
})
