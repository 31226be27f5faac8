/** Whether the built web app is up to date: `npm ci` builds it, so the tests need not build it again. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Next to the packages, so that a new installation removes the record. */
const recordFile = 'node_modules/.cache/plumbline/build'

/** Files that no build reads. All others count as inputs. */
const noInputs =
  /^(?:server|storage|examples|deploy|\.github|web\/e2e|scripts\/test|fixtures\/(?!demo\/)[^/]+)\/|\.test\.ts$/

/** A hash of the files that a build may read, and of the versions of packages; undefined if git does not list them. */
export function readBuildInputs(root: string): string | undefined {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  if (status !== 0) return undefined
  const files = stdout.split('\0').filter((file) => file !== '' && !noInputs.test(file))
  return hashFiles(root, [...new Set(files), 'node_modules/.package-lock.json'].toSorted(), readContent)
}

/** Whether the last build had these inputs and its output is unchanged. */
export function isBuildCurrent(root: string, inputs: string | undefined): boolean {
  return inputs !== undefined && readContent(join(root, recordFile)) === describeBuild(root, inputs)
}

export function recordBuild(root: string, inputs: string | undefined): void {
  const file = join(root, recordFile)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, inputs === undefined ? '' : describeBuild(root, inputs))
}

const describeBuild = (root: string, inputs: string): string =>
  `${inputs} ${hashFiles(root, globSync('web/dist/**', { cwd: root }).toSorted(), readSize)}`

function hashFiles(root: string, files: readonly string[], describe: (file: string) => string): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0${describe(join(root, file))}\0`)
  return hash.digest('hex')
}

/** The text of a file; empty if git lists it but it is missing. */
function readContent(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function readSize(file: string): string {
  const { size, mtimeMs } = statSync(file)
  return `${size} ${mtimeMs}`
}
