/**
 * The workspace of this tab: a header names it in every request, so that another tab may be in another workspace. The
 * URLs of images and files name it themselves; a tab opened by a link uses a cookie, which all tabs share.
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

/** Keeps a tab without a choice in the workspace that the service assigned. */
export function stayInWorkspace(id: string): void {
  if (idOfTab === undefined) chooseWorkspace(id)
}

/**
 * Falls back to the cookie, because the user is not a member of this tab's workspace. False if the tab has no
 * workspace.
 */
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

/** For requests that no client operation covers, such as streamed responses. */
export const fetchPath = (path: string, init?: RequestInit): Promise<Response> =>
  fetchInWorkspace(serviceUrl + path, init)

/** Points the cookie at the workspace of the visible tab. */
export function shareWorkspaceOnFocus(): void {
  addEventListener('focus', () => idOfTab !== undefined && writeCookie(idOfTab))
}

function writeCookie(id: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: The recommended Cookie Store API is not in every browser.
  document.cookie = `plumbline-workspace=${encodeURIComponent(id)}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax${secure}`
}
