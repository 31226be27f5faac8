/** Sets up the ways to sign in, according to the settings. */

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
  /** Signs session cookies. */
  readonly secret: string
  readonly passwordHash: PasswordHash | undefined
  readonly logger: Logger
  readonly now: () => Date
}

export interface SigningIn {
  readonly sessions: Sessions
  readonly signIn: SignInOf
  /** The display name of the identity provider; undefined if there is none. */
  readonly providerName: string | undefined
  /** Undefined if no mail can be sent, or no public URL for its links is configured. */
  readonly linkMails: LinkMailSettings | undefined
  /** Undefined if the service mails no links. */
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
