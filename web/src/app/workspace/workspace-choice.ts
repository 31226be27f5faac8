/** The chosen workspace: a cookie sends it to the service with every request. */

const yearSeconds = 365 * 24 * 3600

/** Chooses a workspace for all further requests. Cached responses belong to another workspace: forget them. */
export function chooseWorkspace(id: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: The store of cookies that it advises is not in every browser.
  document.cookie = `plumbline-workspace=${encodeURIComponent(id)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`
}
