import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { firstLoadBytes, firstLoadBytesMax, screensOf } from './first-load.ts'

it('no screen loads more than 195 KB of JavaScript (gzip) before it is there', (test) => {
  assert.ok(existsSync(join(import.meta.dirname, 'dist')), 'npm run build has not been run')
  const sizes = screensOf().map((screen) => [screen, firstLoadBytes(screen)] as const)
  assert.ok(sizes.length > 10)
  const largest = sizes.reduce((a, b) => (b[1] > a[1] ? b : a))
  test.diagnostic(`The largest first load: ${(largest[1] / 1000).toFixed(0)} KB, ${largest[0]}`)
  for (const [screen, bytes] of sizes) assert.ok(bytes <= firstLoadBytesMax, `${screen}: ${bytes} bytes`)
})
