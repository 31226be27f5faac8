/** Modules loaded at startup stay in memory as long as the service runs. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { it } from 'node:test'
import { hostEnvironment } from '../../../fixtures/environment.ts'

const app = new URL('../app.ts', import.meta.url)

it("HTTP clients are not loaded at startup, neither ours nor Node's", () => {
  const script = `
    import { createRequire } from 'node:module'
    await import(${JSON.stringify(app.href)})
    const packages = Object.keys(createRequire(${JSON.stringify(app.href)}).cache)
    console.log(JSON.stringify([...packages, ...process.moduleLoadList]))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: hostEnvironment,
    encoding: 'utf8',
  })
  // Safe: the script printed it.
  const loaded = JSON.parse(output) as string[]
  assert.ok(loaded.some((name) => /node_modules\/fastify\//.test(name)))
  assert.deepEqual(
    loaded.filter((name) => /undici\//.test(name)),
    [],
  )
})
