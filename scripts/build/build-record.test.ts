import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { isBuildCurrent, readBuildInputs, recordBuild } from './build-record.ts'

describe('a build', () => {
  const root = mkdtempSync(join(tmpdir(), 'plumbline-'))
  after(() => rmSync(root, { recursive: true, force: true }))
  const write = (file: string, text: string): void => {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const isCurrent = (): boolean => isBuildCurrent(root, readBuildInputs(root))
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  write('.gitignore', 'node_modules\ndist\n')

  beforeEach(() => {
    write('web/src/main.tsx', 'main')
    write('server/src/main.ts', 'main')
    write('node_modules/.package-lock.json', '{}')
    write('web/dist/index.html', '<p>')
    recordBuild(root, readBuildInputs(root))
    assert.equal(isCurrent(), true)
  })

  it('is current if only files that it does not read have changed', () => {
    write('server/src/main.ts', 'another')
    write('web/e2e/traces.test.ts', 'another')
    assert.equal(isCurrent(), true)
  })

  for (const [change, file] of [
    ['a file', 'web/src/main.tsx'],
    ['the version of a package', 'node_modules/.package-lock.json'],
    ['what it wrote', 'web/dist/index.html'],
  ] as const)
    it(`is outdated if ${change} has changed`, () => {
      write(file, 'another')
      assert.equal(isCurrent(), false)
    })

  it('is outdated if there is a file not yet tracked by git', () => {
    write('docs/new.md', '# New')
    assert.equal(isCurrent(), false)
    rmSync(join(root, 'docs/new.md'))
    assert.equal(isCurrent(), true)
  })

  it('is outdated if a file or the build itself is missing', () => {
    rmSync(join(root, 'web/src/main.tsx'))
    assert.equal(isCurrent(), false)
    write('web/src/main.tsx', 'main')
    rmSync(join(root, 'web/dist'), { recursive: true })
    assert.equal(isCurrent(), false)
  })

  it('is never current if git does not list the files', () => {
    rmSync(join(root, '.git'), { recursive: true })
    // An enclosing repository would list the folder too.
    const inputs = readBuildInputs(root)
    assert.equal(inputs, undefined)
    recordBuild(root, inputs)
    assert.equal(isBuildCurrent(root, inputs), false)
  })
})
