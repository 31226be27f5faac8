/** Messages by e-mail, through the operator's server. */
import type { SendMailOptions } from 'nodemailer'
import type { Config } from '../../config.ts'
import type { Message } from './message.ts'
import type { SendResult } from './send-result.ts'

export interface MailServer {
  /** For example `smtps://user:password@smtp.example.com`. */
  readonly url: string
  readonly from: string
}

const timeoutMs = 15_000

/** The content of one e-mail; `id` is the same in every attempt. */
export interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  /** The same content as HTML, for mail programs that show it. */
  readonly html?: string
  readonly id?: string
}

/** Sends the message of an alert by e-mail. */
export function sendEmail(
  server: MailServer,
  recipients: readonly string[],
  message: Message,
): Promise<SendResult> {
  const { id, title, text, note, workspace, url, time } = message
  const lines = [text, note, url ?? '', `${workspace} · ${time.toISOString()}`].filter((line) => line !== '')
  return sendMail(server, { to: recipients, subject: title, text: lines.join('\n\n'), id })
}

/** Sends one e-mail. The library is loaded with the first one. */
export async function sendMail(server: MailServer, mail: Mail): Promise<SendResult> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: server.url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // No part of a message may be read from a file or fetched from a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const { response, rejected } = await transport.sendMail(optionsOf(server, mail))
    if (rejected.length === 0) return { type: 'delivered', responseText: response }
    // The accepted recipients have the message: sending it again would notify them twice.
    const problem = `The mail server rejected the recipients ${rejected.map(String).join(', ')}.`
    return { type: 'failed', problem, responseText: response, isFinal: true }
  } catch (error) {
    const { responseCode, response } = error as { responseCode?: number; response?: string }
    const problem = `Sending the mail failed: ${error instanceof Error ? error.message : String(error)}`
    const isFinal = responseCode !== undefined && responseCode >= 500
    return { type: 'failed', problem: problem.slice(0, 500), responseText: response, isFinal }
  } finally {
    transport.close()
  }
}

function optionsOf({ from }: MailServer, { to, subject, text, html, id }: Mail): SendMailOptions {
  return {
    from,
    to: to.map((address) => ({ name: '', address })),
    subject: `[Plumbline] ${subject}`.replaceAll(/\s+/g, ' ').slice(0, 250),
    text,
    ...(html === undefined ? {} : { html }),
    ...(id === undefined ? {} : { messageId: `<${id}@plumbline>` }),
    // Prevents automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** The operator's mail server; undefined if none is configured. */
export function readMailServer(config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>): MailServer | undefined {
  const { SMTP_URL: url, MAIL_FROM: from } = config
  return url === undefined || from === undefined ? undefined : { url, from }
}
