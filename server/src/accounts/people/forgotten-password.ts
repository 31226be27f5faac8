/**
 * Links to a new password by e-mail, for people who ask for one themselves. The request is answered before anything is
 * looked up, so that neither the answer nor its time tells whether the address is somebody's.
 */
import type { PeopleStore } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { type LinkMailSettings, mailLink } from './link-mails.ts'
import { hashToken, linkTo, makeToken } from './one-time-link.ts'

interface ForgottenPasswordParts {
  readonly people: Pick<PeopleStore, 'findForgetful' | 'addLink'>
  readonly linkMails: LinkMailSettings
  readonly logger: Logger
  readonly now: () => Date
}

export interface ForgottenPassword {
  /** Mails a link to whoever has this address and signs in with a password; to nobody else. */
  request(email: string): void
  /** Resolves when no mail is on its way. */
  drained(): Promise<void>
}

/** How long a mailed link works. */
const linkMs = 3_600_000
/** One person is not mailed again before this has passed. */
const pauseMs = 5 * 60_000

export function makeForgottenPassword(parts: ForgottenPasswordParts): ForgottenPassword {
  const underWay = new Set<Promise<void>>()
  return {
    request(email) {
      const sending = mailNewLink(email, parts)
        .catch((error: unknown) => parts.logger.warn({ err: error }, 'a link to a new password was not sent'))
        .finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    async drained() {
      await Promise.all(underWay)
    },
  }
}

async function mailNewLink(email: string, parts: ForgottenPasswordParts): Promise<void> {
  const { people, linkMails, now } = parts
  const time = now()
  const person = await people.findForgetful(email, new Date(time.getTime() - pauseMs))
  if (person === undefined) return
  const token = makeToken()
  const expiresAt = new Date(time.getTime() + linkMs)
  await people.addLink({ hash: hashToken(token), personId: person.id, expiresAt }, time)
  const result = await mailLink(linkMails, {
    to: email,
    subject: 'A new password',
    before: [`Hello ${person.name},`, 'somebody asked for a new password for your account on Plumbline.'],
    action: 'Choose a new password',
    url: linkTo(linkMails.publicUrl, 'password', token),
    after: [
      'The link works once, within an hour.',
      'If it was not you, do nothing: your password stays as it is.',
    ],
  })
  if (result?.problem !== undefined) throw new Error(result.problem)
}
