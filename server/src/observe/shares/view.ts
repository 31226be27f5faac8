import type { ShareLink } from '@plumbline/contract'
import type { Share as StoredShare } from '@plumbline/storage/control'
import type { Context } from '../../requests/verb.ts'
import { nameField } from '../../workspace/name-field.ts'
import type { ShareSigner } from './share-signature.ts'

/** Links as the interface shows them. */
export async function toShares(
  rows: readonly StoredShare[],
  { workspace, linkBase }: Pick<Context, 'workspace' | 'linkBase'>,
  signer: ShareSigner,
): Promise<ShareLink[]> {
  const names = await workspace.members.names([...new Set(rows.map(({ createdBy }) => createdBy))])
  return rows.map((share) => ({
    id: share.id,
    traceId: share.traceId,
    url: `${linkBase}/app/share/${signer.tokenOf({ workspaceId: workspace.id, id: share.id })}`,
    createdBy: share.createdBy,
    ...nameField(names, 'createdByName', share.createdBy),
    createdAt: share.createdAt.toISOString(),
    expiresAt: share.expiresAt.toISOString(),
    ...(share.revokedAt && { revokedAt: share.revokedAt.toISOString() }),
  }))
}
