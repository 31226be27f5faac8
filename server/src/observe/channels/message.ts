/** The message to a channel: figures and the names in the rule, and no recorded content. */
import type { DueNotification } from '@plumbline/storage/control'
import { describeEvent } from '../alerts/labels.ts'

export interface Message {
  /** The same in every attempt. */
  readonly id: string
  readonly type: 'alert.firing' | 'alert.resolved' | 'prompt.published' | 'channel.test'
  /** When the event happened. */
  readonly time: Date
  readonly title: string
  readonly text: string
  /** What to do about it; empty if there is no note. */
  readonly note: string
  readonly workspace: string
  /** The alert's page in the web app; undefined if the service does not know its own URL. */
  readonly url: string | undefined
  /** The fields of the event, for programs. */
  readonly data: Readonly<Record<string, unknown>>
}

/** The message about an event. */
export function makeMessage(notification: DueNotification, publicUrl: string | undefined): Message {
  const { event, workspaceId, workspaceName } = notification
  const { alert, alertId, type, reason, at: time, value, samples } = event
  const text = describeEvent(event, alert.rule)
  const url = publicUrl === undefined ? undefined : `${publicUrl}/app/alerts/${alertId}`
  return {
    id: `msg_${notification.id}`,
    type: `alert.${type}`,
    time,
    title: `${alert.name} ${type === 'firing' ? 'is firing' : 'is resolved'}`,
    text,
    note: alert.note,
    workspace: workspaceName,
    url,
    data: {
      summary: text,
      workspace: { id: workspaceId, name: workspaceName },
      alert: { id: alertId, name: alert.name, note: alert.note === '' ? null : alert.note, url: url ?? null },
      event: { id: event.id, type, reason, at: time.toISOString(), value: value ?? null, samples },
      rule: alert.rule,
    },
  }
}

/** The message that tests whether a channel works. */
export const testMessage = (
  test: { readonly id: string; readonly workspace: { readonly id: string; readonly name: string } },
  publicUrl: string | undefined,
  now: Date,
): Message => ({
  id: `msg_${test.id}`,
  type: 'channel.test',
  time: now,
  title: 'A test message',
  text: 'This channel works: the alerts that notify it arrive here.',
  note: '',
  workspace: test.workspace.name,
  url: publicUrl === undefined ? undefined : `${publicUrl}/app/alerts`,
  data: { summary: 'This channel works.', workspace: test.workspace },
})
