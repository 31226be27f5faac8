/** Folders of prompts: paths such as `support/refunds`. Pure. */

/** All folders of a path including itself, sorted by name. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>()
  for (const path of paths) {
    const names = path.split('/')
    for (let depth = 1; depth <= names.length; depth++) folders.add(names.slice(0, depth).join('/'))
  }
  return [...folders].toSorted((a, b) => a.localeCompare(b))
}

/** Whether a path is a folder, or in it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`)
