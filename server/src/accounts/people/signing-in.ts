/** How people come in, put together from the settings. */

import { type ControlStore, defaultWorkspaceId } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import { type Config, haveSharedStores } from '../../config.ts'
import { basePathOf } from '../../network/base-path.ts'
import type { PasswordHash } from '../../process/foundation.ts'
import { type ForgottenPassword, makeForgottenPassword } from './forgotten-password.ts'
import { type LinkMailSettings, readLinkMailSettings } from './link-mails.ts'
import { makeSessions, type Sessions } from './sessions.ts'
import { type IdentityProvider, makeSignIn, type SignInOf } from './sign-in.ts'

interface SigningInParts {
  readonly control: ControlStore
  readonly config: Config
  /** What the cookies of people are signed with. */
  readonly secret: string
  readonly passwordHash: PasswordHash | undefined
  readonly logger: Logger
  readonly now: () => Date
}

export interface SigningIn {
  readonly sessions: Sessions
  readonly signIn: SignInOf
  /** What the identity provider is called on the page; undefined where there is none. */
  readonly providerName: string | undefined
  /** Undefined where no mail can be sent, or nobody has said which address its links should have. */
  readonly linkMails: LinkMailSettings | undefined
  /** Undefined where the service mails no links. */
  readonly forgottenPassword: ForgottenPassword | undefined
}

const dayMs = 86_400_000

export function makeSigningIn({
  control,
  config,
  secret,
  passwordHash,
  logger,
  now,
}: SigningInParts): SigningIn {
  const { OIDC_ROLE: role } = config
  const linkMails = readLinkMailSettings(config)
  return {
    sessions: makeSessions({
      findSession: (tokenHash) => control.people.findSession(tokenHash),
      touchSession: (id, time) => control.people.touchSession(id, time),
      idleMs: config.PLUMBLINE_SESSION_IDLE_DAYS * dayMs,
      hasOtherNodes: haveSharedStores(config),
    }),
    signIn: makeSignIn({
      people: control.people,
      secret,
      passwordHash,
      isSecure: config.PLUMBLINE_PUBLIC_URL?.startsWith('https:') === true,
      basePath: basePathOf(config.PLUMBLINE_PUBLIC_URL),
      provider: providerIn(config),
      async onNewPerson(personId) {
        if (role !== undefined)
          await control.people.addMember({ workspaceId: defaultWorkspaceId, personId, role }, now())
      },
      logger,
    }),
    providerName: config.OIDC_ISSUER === undefined ? undefined : config.OIDC_NAME,
    linkMails,
    forgottenPassword: linkMails && makeForgottenPassword({ people: control.people, linkMails, logger, now }),
  }
}

function providerIn({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
}: Config): IdentityProvider | undefined {
  return issuer !== undefined && clientId !== undefined && clientSecret !== undefined
    ? { issuer, clientId, clientSecret }
    : undefined
}
