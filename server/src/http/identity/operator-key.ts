/** Who may call operations on the whole installation: keys of the first workspace with the scope `operate`. */
import { ServiceError } from '@plumbline/contract'
import { defaultWorkspaceId } from '@plumbline/storage/control'
import { allows } from '../../requests/allows.ts'
import type { Caller } from '../../requests/verb.ts'

export function refuseUnlessOperator(
  { scopes, workspaceId }: Pick<Caller, 'scopes' | 'workspaceId'>,
  subject: string,
): void {
  if (!allows(scopes, 'operate') || workspaceId !== defaultWorkspaceId)
    throw new ServiceError('forbidden', {
      problem: `${subject}: it needs a key of the first workspace with the scope "operate", which only an owner can create.`,
    })
}
