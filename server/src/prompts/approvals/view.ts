import type { Approval } from '@plumbline/contract'
import type { Approval as StoredApproval } from '@plumbline/storage/control'
import { nameField } from '../../workspace/name-field.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Requested moves as the interface returns them. */
export async function toApprovals(
  rows: readonly StoredApproval[],
  { members, apiKeys }: Pick<Workspace, 'members' | 'apiKeys'>,
): Promise<Approval[]> {
  const ids = new Set(rows.flatMap(({ requestedBy, decidedBy }) => [requestedBy, decidedBy ?? []].flat()))
  const [names, makers] = await Promise.all([
    members.names([...ids]),
    apiKeys.findMakers([...new Set(rows.map(({ requestedBy }) => requestedBy))]),
  ])
  return rows.map((approval) => ({
    ...toApproval(approval),
    ...keyMakerOf(approval, makers),
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

/** The creator of the key that requested a move. */
const keyMakerOf = (
  { requestedBy }: Pick<StoredApproval, 'requestedBy'>,
  makers: ReadonlyMap<string, string>,
): Pick<Approval, 'keyCreatedBy'> => {
  const keyCreatedBy = makers.get(requestedBy)
  return keyCreatedBy === undefined ? {} : { keyCreatedBy }
}
