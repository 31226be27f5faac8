/** How people come in, put together from the settings. */
import { type ControlStore, defaultWorkspaceId } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { makeSessions, type Sessions } from './sessions.ts'
import { type IdentityProvider, makeSignIn, type SignInOf } from './sign-in.ts'

interface SigningInParts {
  readonly control: ControlStore
  readonly config: Config
  /** What the cookies of people are signed with. */
  readonly secret: string
  readonly logger: Logger
  readonly now: () => Date
}

export interface SigningIn {
  readonly sessions: Sessions
  readonly signIn: SignInOf
  /** What the identity provider is called on the page; undefined where there is none. */
  readonly providerName: string | undefined
}

export function makeSigningIn({ control, config, secret, logger, now }: SigningInParts): SigningIn {
  const { OIDC_ROLE: role } = config
  return {
    sessions: makeSessions((token) => control.people.findSession(token)),
    signIn: makeSignIn({
      people: control.people,
      secret,
      isSecure: config.PLUMBLINE_PUBLIC_URL?.startsWith('https:') === true,
      provider: providerIn(config),
      async onNewPerson(personId) {
        if (role !== undefined)
          await control.people.addMember({ workspaceId: defaultWorkspaceId, personId, role }, now())
      },
      logger,
    }),
    providerName: config.OIDC_ISSUER === undefined ? undefined : config.OIDC_NAME,
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
