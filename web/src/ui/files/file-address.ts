/**
 * The URL of a file of the service. An image cannot send the header with the workspace of the tab, and the cookie
 * belongs to the visible tab, so the URL names the workspace.
 */
import { basePath } from '../base-path.ts'

let workspaceId: string | undefined

/** The workspace whose files the tab shows. */
export function nameWorkspaceOfFiles(id: string | undefined): void {
  workspaceId = id
}

export const fileAddress = (path: string): string =>
  `${basePath}${path}${workspaceId === undefined ? '' : `?workspace=${encodeURIComponent(workspaceId)}`}`
