import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

const source = new URL('../../', import.meta.url).pathname

it('a missing value is rendered by Nothing, or written as `nothing`: the dash is defined in one place', () => {
  const copies = globSync('**/*.{ts,tsx}', { cwd: source }).filter(
    (path) =>
      path !== 'ui/text/format.ts' &&
      /['"][–—]['"]|<span[^<>]*>\s*[–—]\s*<\/span>|>(None|N\/A|n\/a)</.test(read(path)),
  )
  assert.deepEqual(copies, [])
})

const read = (path: string): string => readFileSync(`${source}${path}`, 'utf8')
