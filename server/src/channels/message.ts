/** What a channel is told: figures and the names of the rule, and nothing that was recorded. */
import type { DueNotification } from '@plumbline/storage/control'
import { eventInWords } from '../alerts/words.ts'

export interface Message {
  /** The same at every try. */
  readonly id: string
  readonly type: 'alert.firing' | 'alert.resolved' | 'channel.test'
  /** When it happened. */
  readonly at: Date
  readonly title: string
  readonly text: string
  /** What to do about it; empty where nothing was noted. */
  readonly note: string
  readonly workspace: string
  /** The page of the alert; undefined where the service does not know its own address. */
  readonly url: string | undefined
  /** For programs: the fields of the event. */
  readonly data: Readonly<Record<string, unknown>>
}

/** The message about an event. */
export function messageOf(of: DueNotification, publicUrl: string | undefined): Message {
  const { event, workspaceId, workspaceName } = of
  const { alert, alertId, type, reason, at, value, samples } = event
  const text = eventInWords(event, alert.rule)
  const url = publicUrl === undefined ? undefined : `${publicUrl}/app/alerts/${alertId}`
  return {
    id: `msg_${of.id}`,
    type: `alert.${type}`,
    at,
    title: `${alert.name} ${type === 'firing' ? 'is firing' : 'is resolved'}`,
    text,
    note: alert.note,
    workspace: workspaceName,
    url,
    data: {
      summary: text,
      workspace: { id: workspaceId, name: workspaceName },
      alert: { id: alertId, name: alert.name, note: alert.note === '' ? null : alert.note, url: url ?? null },
      event: { id: event.id, type, reason, at: at.toISOString(), value: value ?? null, samples },
      rule: alert.rule,
    },
  }
}

/** The message that shows whether a channel works. */
export const testMessage = (
  of: { readonly id: string; readonly workspace: { readonly id: string; readonly name: string } },
  publicUrl: string | undefined,
  now: Date,
): Message => ({
  id: `msg_${of.id}`,
  type: 'channel.test',
  at: now,
  title: 'A test message',
  text: 'This channel works: alerts that tell it will arrive here.',
  note: '',
  workspace: of.workspace.name,
  url: publicUrl === undefined ? undefined : `${publicUrl}/app/alerts`,
  data: { summary: 'This channel works.', workspace: of.workspace },
})
