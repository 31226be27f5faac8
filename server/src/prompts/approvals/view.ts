import type { Approval } from '@plumbline/contract'
import type { Approval as StoredApproval } from '@plumbline/storage/control'
import { nameField } from '../../workspace/name-field.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Requested moves as the interface shows them. */
export async function toApprovals(
  rows: readonly StoredApproval[],
  { members }: Pick<Workspace, 'members'>,
): Promise<Approval[]> {
  const ids = new Set(rows.flatMap(({ requestedBy, decidedBy }) => [requestedBy, decidedBy ?? []].flat()))
  const names = await members.names([...ids])
  return rows.map((approval) => ({
    ...toApproval(approval),
    ...nameField(names, 'requestedByName', approval.requestedBy),
    ...(approval.decidedBy === undefined ? {} : nameField(names, 'decidedByName', approval.decidedBy)),
  }))
}

/** Without names. */
export const toApproval = ({
  from,
  requestedAt,
  decidedBy,
  decidedAt,
  ...approval
}: StoredApproval): Approval => ({
  ...approval,
  from: from ?? null,
  requestedAt: requestedAt.toISOString(),
  decidedBy: decidedBy ?? null,
  decidedAt: decidedAt?.toISOString() ?? null,
})
