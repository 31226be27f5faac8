import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { findUnusedExports } from './unused-exports.ts'

/** The unused exports of files written to a temporary folder. */
function listUnused(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'plumbline-exports-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return findUnusedExports(root).map(({ file, name }) => `${file} ${name}`)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const storage = { 'storage/package.json': '{"name":"@plumbline/storage","exports":{"./a":"./a.ts"}}' }

describe('exports that no other file imports', () => {
  it('do not exist', () => {
    assert.deepEqual(findUnusedExports('.'), [])
  })

  for (const [form, text] of Object.entries({
    constant: 'export const a = 1\nconsole.log(a)',
    function: 'export function a() {}',
    class: 'export class a {}',
    list: 'const a = 1\nexport { a }',
    'other name': 'const b = 1\nexport { b as a }',
  }))
    it(`are found as a ${form}`, () => {
      assert.deepEqual(listUnused({ 'storage/a.ts': text, 'storage/b.ts': "import './a.ts'" }), [
        'storage/a.ts a',
      ])
    })

  it('are found even if an index re-exports them', () => {
    const files = { 'storage/a.ts': 'export const a = 1', 'storage/index.ts': "export { a } from './a.ts'" }
    assert.deepEqual(listUnused(files), ['storage/index.ts a'])
  })

  it('are not confused with exports of another file under the same name', () => {
    const text = 'export const a = 1'
    assert.deepEqual(
      listUnused({ 'storage/a.ts': text, 'server/a.ts': text, 'server/b.ts': "import { a } from './a.ts'" }),
      ['storage/a.ts a'],
    )
  })

  for (const [form, text] of Object.entries({
    'an import': "import { a } from '../storage/a.ts'",
    'an import under another name': "import { a as b } from '../storage/a.ts'",
    'a name of the package': "import { a } from '@plumbline/storage/a'",
    'a namespace': "import * as all from '../storage/a.ts'",
    'a dynamic import': "const { a } = await import('../storage/a.ts')",
    'a dynamic import beside one for types':
      "import type { T } from '../storage/a.ts'\nimport('../storage/a.ts')",
    'the type of an import': "type A = typeof import('../storage/a.ts')",
  }))
    it(`are used by ${form}`, () => {
      assert.deepEqual(
        listUnused({ ...storage, 'storage/a.ts': 'export const a = 1', 'server/b.test.ts': text }),
        [],
      )
    })

  it('may be types, a default, and what the client publishes', () => {
    const files = {
      'sdk/package.json': '{"name":"@plumbline/sdk","exports":{".":"./index.ts"}}',
      'sdk/index.ts': 'export const a = 1',
      'sdk/a.ts': 'export type A = 1\nexport interface B {}\nexport default 1',
    }
    assert.deepEqual(listUnused(files), [])
  })
})
