/**
 * The workspace of this tab: a header names it in every request, so that another tab may be in another workspace. The
 * addresses of images and files name it themselves; a tab that a link opens goes by a cookie, which all tabs share.
 */
import { serviceUrl } from '../../ui/base-path.ts'
import { nameWorkspaceOfFiles } from '../../ui/files/file-address.ts'
import { forgetInTab, keepInTab, readInTab } from '../../ui/storage/tab-storage.ts'

const yearSeconds = 365 * 24 * 3600
const storageName = 'workspace'

let idOfTab = readInTab(storageName)
nameWorkspaceOfFiles(idOfTab)

/** Chooses a workspace for all further requests of this tab, and for new tabs. */
export function chooseWorkspace(id: string): void {
  idOfTab = id
  nameWorkspaceOfFiles(id)
  keepInTab(storageName, id)
  writeCookie(id)
}

/** Keeps a tab that has chosen nothing in the workspace where the service put it. */
export function stayInWorkspace(id: string): void {
  if (idOfTab === undefined) chooseWorkspace(id)
}

/** Goes by the cookie again: whoever is signed in is not a member of the workspace of this tab. False without one. */
export function leaveWorkspace(): boolean {
  const hadChoice = idOfTab !== undefined
  idOfTab = undefined
  nameWorkspaceOfFiles(undefined)
  forgetInTab(storageName)
  return hadChoice
}

/** The platform's fetch, for the workspace of this tab. */
export const fetchInWorkspace: typeof fetch = (address, init) => {
  if (idOfTab === undefined) return fetch(address, init)
  const headers = new Headers(init?.headers)
  headers.set('plumbline-workspace', idOfTab)
  return fetch(address, { ...init, headers })
}

/** For what no operation of the client can do, such as a response that is read while it comes. */
export const fetchPath = (path: string, init?: RequestInit): Promise<Response> =>
  fetchInWorkspace(serviceUrl + path, init)

/** Lets the cookie name the workspace of the tab that somebody looks at. */
export function shareWorkspaceOnFocus(): void {
  addEventListener('focus', () => idOfTab !== undefined && writeCookie(idOfTab))
}

function writeCookie(id: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: The store of cookies that it advises is not in every browser.
  document.cookie = `plumbline-workspace=${encodeURIComponent(id)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`
}
