/** Storage of this tab only, which survives reloads. */

const prefix = 'plumbline.'

/** Without storage (a private window), or without room in it, a value lasts as long as the page. */
const unstored = new Map<string, string>()

export function readInTab(name: string): string | undefined {
  try {
    return unstored.get(name) ?? sessionStorage.getItem(prefix + name) ?? undefined
  } catch {
    return undefined
  }
}

export function keepInTab(name: string, value: string): void {
  try {
    sessionStorage.setItem(prefix + name, value)
    unstored.delete(name)
  } catch {
    unstored.set(name, value)
  }
}

export function forgetInTab(name: string): void {
  unstored.delete(name)
  try {
    sessionStorage.removeItem(prefix + name)
  } catch {}
}
