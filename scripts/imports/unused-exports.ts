/**
 * Values that a file exports but no other file imports, tests included: without `export`, tsc also reports values that
 * are unused in their own file. Types of exported values may be exported as well. A namespace import and `import()`
 * count as uses of everything in the file.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { dynamicSpecifiersOf, parseFile } from './import-rule.ts'

/** The packages whose entries users import. */
const publishedFolders = ['sdk']

/** A bundle of the service, a module that the build substitutes for another, and the types of a JavaScript file. */
const readByTools =
  /^(?:cli\/src\/demo\/in-browser|web\/src\/ui\/text\/plain-text-language)\.ts$|^server\/process-environment\.d\.mts$/

interface UnusedExport {
  readonly file: string
  readonly name: string
}

export function findUnusedExports(root: string): UnusedExport[] {
  const { entries, publishedFiles } = readEntries(root)
  const uses = new Set<string>()
  const exports: UnusedExport[] = []
  for (const file of globSync(
    '{contract,storage,server,sdk,cli,web,examples,scripts,fixtures}/**/*.{ts,tsx,mts,mjs}',
    { cwd: root, exclude: (path) => /(?:^|\/)(?:node_modules|dist)(?:\/|$)/.test(path) },
  ).toSorted()) {
    const source = readFileSync(join(root, file), 'utf8')
    const addUse = (specifier: string, name: string | null): void => {
      const target = specifier.startsWith('.')
        ? normalize(join(dirname(file), specifier))
        : entries.get(specifier)
      if (target !== undefined) uses.add(keyOf(target, name ?? everything))
    }
    const result = parseFile(file, source)
    const { staticImports, staticExports } = result.module
    for (const { moduleRequest, entries: imports } of staticImports)
      for (const { importName } of imports) addUse(moduleRequest.value, importName.name)
    for (const { moduleRequest, importName, exportName, isType } of staticExports.flatMap(
      (statement) => statement.entries,
    )) {
      if (moduleRequest) addUse(moduleRequest.value, importName.name)
      const isPublic = publishedFiles.has(file) || readByTools.test(file)
      if (exportName.name && !isType && !isPublic) exports.push({ file, name: exportName.name })
    }
    for (const specifier of dynamicSpecifiersOf(result, source)) addUse(specifier, everything)
  }
  return exports.filter(
    ({ file, name }) => !uses.has(keyOf(file, name)) && !uses.has(keyOf(file, everything)),
  )
}

const everything = '*'

const keyOf = (file: string, name: string): string => `${file} ${name}`

/** The file for each name under which a package can be imported, and the published files. */
function readEntries(root: string): {
  readonly entries: ReadonlyMap<string, string>
  readonly publishedFiles: ReadonlySet<string>
} {
  const entries = new Map<string, string>()
  const publishedFiles = new Set<string>()
  for (const path of globSync('*/package.json', { cwd: root })) {
    const folder = dirname(path)
    // Safe: npm has read these files before.
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
      name: string
      exports?: Record<string, string>
    }
    for (const [entry, target] of Object.entries(exports)) {
      const file = normalize(join(folder, target))
      entries.set(`${name}${entry.slice(1)}`, file)
      if (publishedFolders.includes(folder)) publishedFiles.add(file)
    }
  }
  return { entries, publishedFiles }
}
