/** Emails with a one-time link: an invitation, or a new password. */
import type { LinkMail } from '@plumbline/contract'
import type { Config } from '../../config.ts'
import { type MailServer, readMailServer, sendMail } from '../../observe/channels/email.ts'

/** The settings for mailing links. */
export interface LinkMailSettings {
  readonly server: MailServer
  /** The configured URL: a request's Host header could be forged, and is never mailed. */
  readonly publicUrl: string
}

export interface LinkMailContent {
  readonly to: string
  readonly subject: string
  /** Paragraphs before the link. */
  readonly before: readonly string[]
  /** The label of the link's button. */
  readonly action: string
  readonly url: string
  /** Paragraphs after the link. */
  readonly after: readonly string[]
}

/** Undefined if no mail can be sent, or no public URL for links is configured. */
export function readLinkMailSettings(
  config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PLUMBLINE_PUBLIC_URL'>,
): LinkMailSettings | undefined {
  const [server, publicUrl] = [readMailServer(config), config.PLUMBLINE_PUBLIC_URL]
  return server === undefined || publicUrl === undefined ? undefined : { server, publicUrl }
}

/** Mails a link, and returns whether the mail server has accepted it; null if the service mails no links. */
export async function mailLink(
  settings: LinkMailSettings | undefined,
  content: LinkMailContent,
): Promise<LinkMail> {
  if (settings === undefined) return null
  const { to, subject } = content
  const mail = { to: [to], subject, text: textOf(content), html: htmlOf(content) }
  const result = await sendMail(settings.server, mail)
  return result.type === 'delivered' ? { isSent: true } : { isSent: false, problem: result.problem }
}

/** A time in the form of a mail: its reader may be in any time zone. */
export function describeEnd(time: Date): string {
  const day = time.toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const [weekday, ...date] = day.replace(',', '').split(' ')
  return `${weekday}, ${date.join(' ')}, ${time.toISOString().slice(11, 16)} UTC`
}

const textOf = ({ before, action, url, after }: LinkMailContent): string =>
  [...before, `${action}:\n${url}`, ...after].join('\n\n')

function htmlOf({ before, action, url, after }: LinkMailContent): string {
  const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`
  const address = escapeHtml(url)
  return [
    '<!doctype html>',
    '<html lang="en"><body style="font-family: sans-serif; font-size: 15px; line-height: 1.5; max-width: 34em">',
    ...before.map(paragraph),
    `<p><a href="${address}" style="display: inline-block; padding: 8px 16px; border-radius: 6px; background: #1f4fd8; color: #ffffff; text-decoration: none">${escapeHtml(action)}</a></p>`,
    `<p style="font-size: 13px">If the button does not work, open this address:<br>${address}</p>`,
    ...after.map(paragraph),
    '</body></html>',
  ].join('\n')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
