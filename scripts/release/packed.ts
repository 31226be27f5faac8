/** The packages as published: built, packed, and installed in a folder without our other code. */
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { unpack } from './archive.ts'

const root = join(import.meta.dirname, '../..')
const call = promisify(execFile)

/** The packages that a running service offers for download. */
export const clientPackages = ['sdk', 'cli'] as const
export const publishedPackages = [...clientPackages, 'server'] as const
export type PublishedPackage = (typeof publishedPackages)[number]

export interface PackedManifest {
  readonly name: string
  readonly version: string
  readonly engines: { readonly node: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The folder with the archives that a release has packed and is testing. */
export const packedFolderVariable = 'PLUMBLINE_PACKED_FOLDER'

/** Where a test run shares the clients that it has packed, since packing takes seconds of CPU. */
const packedInRun = hostEnvironment.PLUMBLINE_TEST_PACKED

/**
 * Builds a package and packs it into a folder; returns the archive. The server includes the web app from `webFolder`,
 * by default the last build.
 */
export async function pack(name: PublishedPackage, folder: string, webFolder?: string): Promise<string> {
  if (packedInRun === undefined || name === 'server') return buildArchive(name, folder, webFolder)
  const shared = join(packedInRun, name)
  if (!existsSync(shared)) {
    const unfinished = mkdtempSync(`${shared}-`)
    await buildArchive(name, unfinished)
    try {
      renameSync(unfinished, shared)
    } catch (error) {
      // Another process may have packed it meanwhile.
      if (!existsSync(shared)) throw error
      rmSync(unfinished, { recursive: true })
    }
  }
  const archive = findArchive(name, shared)
  copyFileSync(archive, join(folder, basename(archive)))
  return findArchive(name, folder)
}

async function buildArchive(name: PublishedPackage, folder: string, webFolder?: string): Promise<string> {
  const webFolders = webFolder === undefined ? [] : [webFolder]
  const dist = mkdtempSync(join(tmpdir(), 'plumbline-dist-'))
  try {
    await call(process.execPath, [join(root, name, 'build.ts'), dist, ...webFolders])
    await call('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: dist })
  } finally {
    rmSync(dist, { recursive: true, force: true })
  }
  return findArchive(name, folder)
}

/**
 * Installs a package into `app/node_modules`, from the archive of the current release or a new one, and returns its
 * folder. Does what `npm install` of the archive would do, but takes dependencies from this repository, so that a test
 * needs no registry.
 */
export async function installPacked(name: PublishedPackage, app: string): Promise<string> {
  mkdirSync(app, { recursive: true })
  const released = hostEnvironment[packedFolderVariable]
  const archive = released === undefined ? await pack(name, app) : findArchive(name, released)
  const installed = join(app, 'node_modules/@plumbline', name)
  await unpack(archive, installed)
  const { dependencies, peerDependencies } = readManifest(installed)
  for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
    const link = join(app, 'node_modules', dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', dependency), link)
  }
  return installed
}

export const readManifest = (folder: string): PackedManifest =>
  // Safe: the build of the package has written it.
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackedManifest

function findArchive(name: PublishedPackage, folder: string): string {
  const file = readdirSync(folder).find((entry) => entry.startsWith(`plumbline-${name}-`))
  if (file === undefined) throw new Error(`${folder} has no archive of ${name}.`)
  return join(folder, file)
}
