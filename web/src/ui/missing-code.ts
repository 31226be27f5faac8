/**
 * Whether a part of the web app itself could not be loaded: a page open during an upgrade requests removed files, and
 * only a reload helps. Chromium, Firefox and Safari word the error differently.
 */
export const isMissingCode = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|Importing a module script failed/.test(error.message)
