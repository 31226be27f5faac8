/** One version for every package of the repository. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  version: string
  workspaces?: readonly string[]
  dependencies?: Record<string, string>
}

interface Lock {
  version: string
  packages: Record<string, Manifest>
}

const own = /^@plumbline\//

/** The package.json of the root and of each workspace, and the lock file. */
export function versionedFiles(root: string): string[] {
  const { workspaces = [] } = readJson<Manifest>(join(root, 'package.json'))
  return ['package.json', ...workspaces.map((name) => `${name}/package.json`), 'package-lock.json']
}

/** Python files with a line that contains the version. */
const pythonFiles: readonly (readonly [path: string, line: RegExp])[] = [
  ['python/pyproject.toml', /^(version = )".*"$/m],
  ['python/plumbline/_version.py', /^(__version__ = )".*"$/m],
]

/** Every file that a release changes. */
export const releasedFiles = (root: string): string[] => [
  ...versionedFiles(root),
  ...pythonFiles.map(([path]) => path),
]

export const currentVersion = (root: string): string => readJson<Manifest>(join(root, 'package.json')).version

/** Writes the version into each manifest, their dependencies on each other, and the Python client. */
export function setVersion(root: string, version: string): void {
  for (const file of versionedFiles(root)) {
    const path = join(root, file)
    if (file === 'package-lock.json') {
      const lock = readJson<Lock>(path)
      lock.version = version
      for (const [folder, manifest] of Object.entries(lock.packages))
        if (!folder.includes('node_modules')) applyVersion(manifest, version)
      writeJson(path, lock)
    } else {
      const manifest = readJson<Manifest>(path)
      applyVersion(manifest, version)
      writeJson(path, manifest)
    }
  }
  for (const [file, line] of pythonFiles) {
    const path = join(root, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(line, `$1"${version}"`))
  }
}

function applyVersion(manifest: Manifest, version: string): void {
  manifest.version = version
  for (const name of Object.keys(manifest.dependencies ?? {}))
    if (own.test(name)) manifest.dependencies![name] = `^${version}`
}

/** Whether a changelog in the form of Keep a Changelog has a dated section for a version, with entries. */
export function hasRelease(changelog: string, version: string): boolean {
  const sections = changelog.split(/^## /m)
  const heading = new RegExp(`^\\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}\\n`)
  return sections.some((section) => heading.test(section) && /^- /m.test(section))
}

// Safe: npm reads these files too, and refuses others.
const readJson = <Json>(path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json
const writeJson = (path: string, value: unknown): void =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
