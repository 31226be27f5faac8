/**
 * The fenced code of the README and of `docs/`. Text after the language on the opening line of a fence is hidden from
 * readers: `not-run="reason"` for code that no test can run, `test=path` for code that the named test runs.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Fence {
  /** Relative to the repository root. */
  readonly file: string
  readonly line: number
  readonly language: string
  readonly code: string
  readonly notRun?: string
  readonly test?: string
}

const root = join(import.meta.dirname, '../..')
const pattern = /^```(\S*)([^\n]*)\n([\s\S]*?)^```$/gm

/** Covers the hand-written pages only: the reference is generated. */
export function readFences(): Fence[] {
  const files = [...globSync('docs/*.md', { cwd: root }).toSorted(), 'README.md']
  return files.filter((file) => file !== 'docs/reference.md').flatMap(fencesOfFile)
}

export function fencesOfFile(file: string): Fence[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(pattern)].map(({ index, 1: language = '', 2: info = '', 3: code = '' }) => {
    const [, notRun] = /not-run="([^"]+)"/.exec(info) ?? []
    const [, test] = /test=(\S+)/.exec(info) ?? []
    return {
      ...{ file, language, code },
      line: text.slice(0, index).split('\n').length,
      ...(notRun === undefined ? {} : { notRun }),
      ...(test === undefined ? {} : { test }),
    }
  })
}
