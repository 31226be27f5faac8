/** A mail server that keeps the mails that it receives. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface TestMailServer {
  /** In the form of `SMTP_URL`. */
  readonly url: string
  /** The mails in the order of arrival. */
  readonly mails: readonly string[]
  /** Addresses for which it accepts no mail. */
  readonly unknownAddresses: Set<string>
  close(): Promise<void>
}

export async function startMailServer(): Promise<TestMailServer> {
  const mails: string[] = []
  const unknownAddresses = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, onDone) {
      if (!unknownAddresses.has(address)) return onDone()
      onDone(Object.assign(new Error('No such mailbox.'), { responseCode: 550 }))
    },
    onData(stream, _session, onDone) {
      text(stream).then((mail) => {
        mails.push(mail)
        onDone()
      }, onDone)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    unknownAddresses,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** A mail with its quoted-printable parts decoded. */
export const readableMail = (mail: string): string =>
  Buffer.from(
    mail
      .replaceAll('=\r\n', '')
      .replaceAll(/=([\dA-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
