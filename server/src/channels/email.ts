/** Messages by e-mail, through the operator's server. */
import type { SendMailOptions } from 'nodemailer'
import type { Message } from './message.ts'
import type { Sent } from './sent.ts'

export interface MailServer {
  /** Such as `smtps://user:password@smtp.example.com`. */
  readonly url: string
  readonly from: string
}

const patienceMs = 15_000

/** Sends one e-mail. The library is loaded when the first is sent. */
export async function sendEmail(server: MailServer, to: readonly string[], message: Message): Promise<Sent> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: server.url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    // Nothing of a message may be read from a file or fetched from an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const { response, rejected } = await transport.sendMail(mailOf(server, to, message))
    if (rejected.length === 0) return { type: 'delivered', answer: response }
    // Those who took it have it: sending it again would tell them twice.
    const problem = `The mail server does not take messages for ${rejected.map(String).join(', ')}.`
    return { type: 'failed', problem, answer: response, isFinal: true }
  } catch (error) {
    const { responseCode, response } = error as { responseCode?: number; response?: string }
    const problem = `The mail server says: ${error instanceof Error ? error.message : String(error)}`
    const isFinal = responseCode !== undefined && responseCode >= 500
    return { type: 'failed', problem: problem.slice(0, 500), answer: response, isFinal }
  } finally {
    transport.close()
  }
}

function mailOf({ from }: MailServer, to: readonly string[], message: Message): SendMailOptions {
  const { id, title, text, note, workspace, url, at } = message
  const lines = [text, note, url ?? '', `${workspace} · ${at.toISOString()}`].filter((line) => line !== '')
  return {
    from,
    to: to.map((address) => ({ name: '', address })),
    subject: `[Plumbline] ${title}`.replaceAll(/\s+/g, ' ').slice(0, 250),
    text: lines.join('\n\n'),
    messageId: `<${id}@plumbline>`,
    // So that no machine answers.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
