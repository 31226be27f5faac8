/**
 * A message for Slack's incoming webhooks and compatible ones: Mattermost, and Discord at `…/slack`. Slack shows the
 * blocks and uses the text for notifications and screen readers; the others show the text.
 */
import type { Message } from './message.ts'

const icons = {
  'alert.firing': '🔴',
  'alert.resolved': '🟢',
  'prompt.published': '🚀',
  'channel.test': '🔵',
} as const
/** The limit of a section in Slack. */
const textMax = 2900

export function slackPayload({ type, title, text, note, workspace, url, time }: Message): object {
  const heading = `${icons[type]} *${escapeMarkup(title)}*`
  const link = url === undefined ? '' : `\n<${url}|Open in Plumbline>`
  const body = `${escapeMarkup(text)}${note === '' ? '' : `\n${escapeMarkup(note)}`}`.slice(0, textMax)
  return {
    text: `${heading}\n${body}${link}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `${heading}\n${body}${link}` } },
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: `${escapeMarkup(workspace).slice(0, 200)} · ${time.toISOString()}` },
        ],
      },
    ],
  }
}

/** Escapes the three special characters; otherwise a name could mention everyone in a channel. */
const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
