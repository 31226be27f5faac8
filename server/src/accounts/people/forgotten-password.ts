/**
 * Password links by email, for users who request one themselves. The request is answered before anything is looked up, so
 * that neither the response nor its timing reveals whether the email address is known.
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
  /** Mails a link if a user has this email address and signs in with a password. */
  request(email: string): void
  /** Resolves when no mail is being sent. */
  drained(): Promise<void>
}

/** How long a mailed link is valid. */
const linkMs = 3_600_000
/** The minimum time between two mails to one user. */
const pauseMs = 5 * 60_000

export function makeForgottenPassword(parts: ForgottenPasswordParts): ForgottenPassword {
  const underWay = new Set<Promise<void>>()
  return {
    request(email) {
      const sending = mailNewLink(email, parts)
        .catch((error: unknown) => parts.logger.warn({ err: error }, 'a password link could not be sent'))
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
    subject: 'Choose a new password',
    before: [`Hello ${person.name},`, 'someone requested a new password for your Plumbline account.'],
    action: 'Choose a new password',
    url: linkTo(linkMails.publicUrl, 'password', token),
    after: [
      'The link works once, within an hour.',
      'If this was not you, ignore this mail: your password does not change.',
    ],
  })
  if (result?.problem !== undefined) throw new Error(result.problem)
}
