/**
 * The Python client as a wheel, which is an archive of plain files: built without Python and byte-for-byte
 * reproducible. https://packaging.python.org/en/latest/specifications/binary-distribution-format/
 */
import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'

export interface Wheel {
  readonly fileName: string
  readonly bytes: Buffer
}

export function buildWheel(root: string): Wheel {
  const folder = join(root, 'python')
  const project = readProject(readFileSync(join(folder, 'pyproject.toml'), 'utf8'))
  const info = `plumbline-${project.version}.dist-info`
  const sources = globSync('plumbline/**/{*.py,py.typed}', { cwd: folder }).sort()
  const files = new Map(sources.map((path) => [path, readFileSync(join(folder, path))]))
  files.set(
    `${info}/METADATA`,
    Buffer.from(metadata(project, readFileSync(join(root, 'docs/python.md'), 'utf8'))),
  )
  files.set(`${info}/WHEEL`, Buffer.from(wheelFile))
  files.set(`${info}/entry_points.txt`, Buffer.from(`[pytest11]\nplumbline = ${project.pytestPlugin}\n`))
  files.set(`${info}/licenses/LICENSE`, readFileSync(join(root, 'LICENSE')))
  const record = [...files].map(
    ([path, bytes]) => `${path},sha256=${hash('sha256', bytes, 'base64url')},${bytes.length}\n`,
  )
  files.set(`${info}/RECORD`, Buffer.from(`${record.join('')}${info}/RECORD,,\n`))
  return { fileName: `plumbline-${project.version}-py3-none-any.whl`, bytes: zip(files) }
}

const wheelFile = 'Wheel-Version: 1.0\nGenerator: plumbline\nRoot-Is-Purelib: true\nTag: py3-none-any\n'

interface Project {
  readonly version: string
  readonly summary: string
  readonly requiresPython: string
  readonly dependencies: readonly string[]
  readonly extras: Readonly<Record<string, readonly string[]>>
  readonly pytestPlugin: string
}

/**
 * Reads the project metadata for the wheel. The file is our own, with each value on one line in JSON-compatible syntax.
 */
function readProject(toml: string): Project {
  const value = (key: string, text = toml): unknown => {
    const [, json] = new RegExp(`^${key} = (.+)$`, 'm').exec(text) ?? []
    if (json === undefined) throw new Error(`python/pyproject.toml has no line "${key} = …".`)
    return JSON.parse(json)
  }
  const section = (name: string): string => toml.split(`[${name}]\n`)[1]?.split('\n[')[0] ?? ''
  const extras = [...section('project.optional-dependencies').matchAll(/^(\w+) = (.+)$/gm)]
  // Safe: the file is ours, and a test installs the result.
  return {
    version: value('version') as string,
    summary: value('description') as string,
    requiresPython: value('requires-python') as string,
    dependencies: value('dependencies') as string[],
    extras: Object.fromEntries(extras.map(([, name, list]) => [name, JSON.parse(list!) as string[]])),
    pytestPlugin: value('plumbline', section('project.entry-points.pytest11')) as string,
  }
}

const metadata = (project: Project, description: string): string =>
  [
    'Metadata-Version: 2.4',
    'Name: plumbline',
    `Version: ${project.version}`,
    `Summary: ${project.summary}`,
    'License-Expression: MIT',
    'License-File: LICENSE',
    `Requires-Python: ${project.requiresPython}`,
    ...project.dependencies.map((each) => `Requires-Dist: ${each}`),
    ...Object.entries(project.extras).flatMap(([name, list]) => [
      `Provides-Extra: ${name}`,
      ...list.map((each) => `Requires-Dist: ${each}; extra == "${name}"`),
    ]),
    'Description-Content-Type: text/markdown',
    '',
    description,
  ].join('\n')

/** 1 January 1980, the first day of the format. */
const dosDate = 0x0021
const readableByAll = (0o100644 << 16) >>> 0

/** An archive without timestamps. */
function zip(files: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, bytes] of files) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(bytes, { level: 9 })
    const header = entryHeader(name, bytes, packed)
    directory.push(directoryEntry(header, offset), name)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), header, name, packed])
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.size, 8)
  end.writeUInt16LE(files.size, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}

/** The header fields shared by an entry and the directory: version, method, time, checksum, sizes. */
function entryHeader(name: Buffer, bytes: Buffer, deflatedBytes: Buffer): Buffer {
  const header = Buffer.alloc(26)
  header.writeUInt16LE(20, 0)
  header.writeUInt16LE(8, 4)
  header.writeUInt16LE(dosDate, 8)
  header.writeUInt32LE(crc32(bytes), 10)
  header.writeUInt32LE(deflatedBytes.length, 14)
  header.writeUInt32LE(bytes.length, 18)
  header.writeUInt16LE(name.length, 22)
  return header
}

function directoryEntry(header: Buffer, offset: number): Buffer {
  const entry = Buffer.alloc(46)
  entry.write('PK\x01\x02', 'latin1')
  // Marked as created on Unix, for the permissions.
  entry.writeUInt16LE((3 << 8) | 20, 4)
  header.copy(entry, 6)
  entry.writeUInt32LE(readableByAll, 38)
  entry.writeUInt32LE(offset, 42)
  return entry
}
