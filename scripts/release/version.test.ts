import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { currentVersion, hasRelease, releasedFiles, setVersion, versionedFiles } from './version.ts'

const repository = join(import.meta.dirname, '../..')
const root = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(root, { recursive: true, force: true }))
for (const file of releasedFiles(repository)) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  cpSync(join(repository, file), join(root, file))
}
const readText = (file: string) => readFileSync(join(root, file), 'utf8')

test('a version is set in every manifest and the lock file, and nothing else changes', () => {
  const before = new Map(releasedFiles(root).map((file) => [file, readText(file)]))
  const original = currentVersion(root)
  setVersion(root, '9.8.7')
  for (const file of versionedFiles(root)) {
    assert.equal(JSON.parse(readText(file)).version, '9.8.7', file)
    if (file !== 'package-lock.json')
      assert.doesNotMatch(readText(file), new RegExp(`plumbline/.*${original}`), file)
  }
  for (const file of releasedFiles(root).filter((name) => name.startsWith('python/')))
    assert.match(readText(file), /^(?:__)?version(?:__)? = "9\.8\.7"$/m, file)
  setVersion(root, original)
  for (const [file, content] of before) assert.equal(readText(file), content, file)
})

test('every package.json requires the same Node version', () => {
  const engines = versionedFiles(root)
    .filter((file) => file.endsWith('package.json'))
    .map((file) => JSON.parse(readText(file)).engines?.node)
  assert.deepEqual(new Set(engines), new Set(['>=20']))
})

test('a release needs a dated section with entries in the changelog', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.0.0] - 2026-01-02\n\n### Added\n\n- It.\n'
  assert.equal(hasRelease(changelog, '1.0.0'), true)
  assert.equal(hasRelease(changelog, '1.0.1'), false)
  assert.equal(hasRelease(changelog, '1x0.0'), false)
  assert.equal(hasRelease(changelog, 'Unreleased'), false)
  assert.equal(hasRelease('## [1.0.0] - 2026-01-02\n\n## [0.9.0] - 2026-01-01\n\n- It.\n', '1.0.0'), false)
})

test('the current version is in the changelog', () => {
  const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8')
  assert.ok(hasRelease(changelog, currentVersion(root)))
})
