/** The types of alert channels. Pure. */
import type { Channel } from '@plumbline/sdk'

export const channelTypes: Readonly<
  Record<
    Channel['type'],
    { readonly label: string; readonly short: string; readonly hint: string; readonly example: string }
  >
> = {
  slack: {
    label: 'Slack, Mattermost or Discord',
    short: 'Chat',
    hint: 'URL of an incoming webhook. For Discord, add /slack to the end.',
    example: 'https://hooks.slack.com/services/…',
  },
  webhook: {
    label: 'Webhook',
    short: 'Webhook',
    hint: 'Your own endpoint. Messages are JSON, signed according to Standard Webhooks.',
    example: 'https://example.com/alerts',
  },
  email: {
    label: 'E-mail',
    short: 'E-mail',
    hint: 'One address per line, up to 20.',
    example: 'on-call@example.com',
  },
}

/** The addresses in a text, one per line or separated by commas. */
export const readAddresses = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((address) => address.trim())
    .filter((address) => address !== '')
