/**
 * Whether a part of the web app itself could not be loaded: a page that was open during an upgrade asks for files that are
 * gone, and only loading it again helps. Chromium, Firefox and Safari say so in their own words.
 */
export const isMissingCode = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|Importing a module script failed/.test(error.message)
