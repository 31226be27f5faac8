/**
 * Where a file of the service is. An image cannot send the header that names the workspace of the tab, and the cookie is
 * that of the tab that somebody looks at: so the address names the workspace.
 */
import { basePath } from '../base-path.ts'

let workspaceId: string | undefined

/** The workspace whose files the tab shows. */
export function nameWorkspaceOfFiles(id: string | undefined): void {
  workspaceId = id
}

export const fileAddress = (path: string): string =>
  `${basePath}${path}${workspaceId === undefined ? '' : `?workspace=${encodeURIComponent(workspaceId)}`}`
