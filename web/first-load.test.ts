import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { type Encoding, firstLoadBytes, screensOf } from './first-load.ts'

describe('the JavaScript that blocks a screen', () => {
  before(() => assert.ok(existsSync(join(import.meta.dirname, 'dist')), 'npm run build has not been run'))

  it('is at most 150 KB with Brotli', (test) => {
    for (const [screen, bytes] of measure('brotli', test))
      assert.ok(bytes <= 150_000, `${screen}: ${bytes} bytes`)
  })

  it('is at most 180 KB with gzip', (test) => {
    for (const [screen, bytes] of measure('gzip', test))
      assert.ok(bytes <= 180_000, `${screen}: ${bytes} bytes`)
  })
})

function measure(encoding: Encoding, test: TestContext): readonly (readonly [string, number])[] {
  const sizes = screensOf().map((screen) => [screen, firstLoadBytes(screen, encoding)] as const)
  assert.ok(sizes.length > 10)
  const mean = sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / sizes.length
  const [name, largest] = sizes.reduce((a, b) => (b[1] > a[1] ? b : a))
  const small = sizes.filter(([, bytes]) => bytes <= 150_000).length
  test.diagnostic(
    `${encoding}: ${kilobytes(mean)} in the mean, ${small} of ${sizes.length} at most 150 KB, the largest ${kilobytes(largest)} (${name})`,
  )
  return sizes
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} KB`
