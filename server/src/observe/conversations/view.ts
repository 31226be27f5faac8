/** Converts stored conversations to the interface. */
import type { Conversation } from '@plumbline/contract'
import type { TraceGroup } from '@plumbline/storage/traces'
import { groupFields, organizationOf, userOf } from '../trace-groups.ts'

export const toConversation = (
  group: TraceGroup,
  ends: { readonly firstInput: string | null; readonly lastOutput: string | null } | undefined,
  scores: Conversation['scores'],
): Conversation => ({
  id: group.id,
  firstInput: ends?.firstInput ?? null,
  lastOutput: ends?.lastOutput ?? null,
  user: userOf(group),
  organization: organizationOf(group),
  ...groupFields(group, scores),
})
