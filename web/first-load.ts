/**
 * The amount of JavaScript that a browser loads before a screen appears: the files that the entry, the frame and the
 * screen import. Code that a screen loads later, such as charts and menus, is not included; `e2e/first-load.test.ts`
 * counts that too.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** Browsers accept Brotli over TLS and from localhost, and gzip otherwise. */
export type Encoding = 'brotli' | 'gzip'

const compress = {
  brotli: (bytes: Buffer) => brotliCompressSync(bytes),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 9 }),
}

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly isEntry?: boolean
}
type Manifest = Readonly<Record<string, Chunk>>

const dist = join(import.meta.dirname, 'dist')

/** The compressed size of the entry, the frame and one screen, with all that they import; `screen` is its source file. */
export function firstLoadBytes(screen: string, encoding: Encoding): number {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const files = new Set<string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`The build has no ${name}.`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const name of ['index.html', 'src/app/layout.tsx', screen]) visit(name)
  return [...files].reduce((sum, file) => sum + compressedBytes(file, encoding), 0)
}

/** Each file once for all screens. */
const sizes = new Map<string, number>()

function compressedBytes(file: string, encoding: Encoding): number {
  const key = `${encoding} ${file}`
  const bytes = sizes.get(key) ?? compress[encoding](readFileSync(join(dist, file))).length
  sizes.set(key, bytes)
  return bytes
}

/** The source files of all lazily loaded screens. */
export function screensOf(): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  return Object.keys(manifest).filter((name) => /-(?:screen|tab)\.tsx$/.test(name))
}
