/** How much JavaScript a browser loads before the first screen is there: of the built page, gzipped. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What may be loaded at first, in all. */
export const firstLoadBytesMax = 195_000

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly isEntry?: boolean
}
type Manifest = Readonly<Record<string, Chunk>>

const dist = join(import.meta.dirname, 'dist')

/** The gzipped size of the entry, the frame and one screen, with all that they import; `screen` is its source file. */
export function firstLoadBytes(screen: string): number {
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
  return [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length,
    0,
  )
}

/** The source files of all screens that are loaded when they are opened. */
export function screensOf(): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  return Object.keys(manifest).filter((name) => /-(?:screen|tab)\.tsx$/.test(name))
}
