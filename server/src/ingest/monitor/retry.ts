import type { StoredTrace } from '@plumbline/storage/traces'
import type { ClaimedIds } from '../../requests/verb.ts'
import { findTrace } from '../../traces/find.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** The trace that an earlier attempt of the same request stored before it crashed, if any. */
export const storedByEarlierAttempt = async (
  claimedIds: ClaimedIds | undefined,
  workspace: Workspace,
): Promise<StoredTrace | undefined> =>
  claimedIds?.isRetry ? findTrace(claimedIds.traceId, workspace) : undefined

/** The response to a recorded trace. */
export const traceResponse = (
  id: string,
  warning: string | null,
): { trace: { id: string }; warning?: string } =>
  warning === null ? { trace: { id } } : { trace: { id }, warning }
