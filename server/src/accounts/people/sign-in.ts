/** Sign-in by better-auth. It is loaded for the first sign-in request, since most processes only record. */
import { ServiceError } from '@plumbline/contract'
import { newId, type PeopleStore } from '@plumbline/storage/control'
import type { Logger } from 'pino'
import type { PasswordHash } from '../../process/foundation.ts'
import { passwordLengthMax, passwordLengthMin } from './password-strength.ts'

export interface IdentityProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

interface SignInParts {
  readonly people: PeopleStore
  readonly secret: string
  readonly isSecure: boolean
  /** The path prefix of the service's URLs in browsers. */
  readonly basePath: string
  readonly provider: IdentityProvider | undefined
  /** The library's own, scrypt, if undefined. */
  readonly passwordHash: PasswordHash | undefined
  /** Called with a user who signed in by the identity provider for the first time. */
  readonly onNewPerson: (personId: string) => Promise<void>
  readonly logger: Logger
}

export interface SignIn {
  /** Answers a request under `/auth`. */
  handle(request: Request): Promise<Response>
  /** Whether the identity provider's configuration was loaded. */
  readonly hasProvider: boolean
  /** The stored form of a password. */
  hash(password: string): Promise<string>
}

/** The identity provider's name in URLs. */
const providerId = 'oidc'

const dayS = 24 * 3600
/** How long a session lasts, however often it is used. */
const sessionS = 30 * dayS

/** The message after the right password for a locked account. */
const lockedSentence = 'This account is locked; ask the operator of this service.'

/** Loads sign-in on first use; `byProvider` requires that the identity provider has responded. */
export type SignInOf = (byProvider?: boolean) => Promise<SignIn>

export function makeSignIn(parts: SignInParts): SignInOf {
  let signInPromise: Promise<SignIn> | undefined
  return async (byProvider = false) => {
    signInPromise ??= load(parts)
    const signIn = await signInPromise
    if (!byProvider || parts.provider === undefined || signIn.hasProvider) return signIn
    // The provider was unavailable at first; signing in with a password works anyway.
    signInPromise = load(parts)
    const again = await signInPromise
    if (again.hasProvider) return again
    throw new ServiceError('unavailable', {
      problem: 'The identity provider cannot be reached now; try again soon.',
    })
  }
}

async function load(parts: SignInParts): Promise<SignIn> {
  const { people, secret, isSecure, basePath, provider, passwordHash, onNewPerson, logger } = parts
  const [{ betterAuth }, { APIError }, { genericOAuth }, { signInAdapter }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/api'),
    import('better-auth/plugins'),
    import('./sign-in-adapter.ts'),
  ])
  const auth = betterAuth({
    appName: 'Plumbline',
    basePath: `${basePath}/auth`,
    secret,
    database: signInAdapter(people.rows),
    telemetry: { enabled: false },
    logger: { log: (level, message) => logger[level === 'error' ? 'warn' : 'debug']({ message }, 'sign-in') },
    emailAndPassword: {
      enabled: true,
      // Users are created by the set-up, an invitation or the identity provider.
      disableSignUp: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      ...(passwordHash === undefined ? {} : { password: passwordHash }),
    },
    session: { expiresIn: sessionS, disableSessionRefresh: true },
    account: {
      storeStateStrategy: 'cookie',
      updateAccountOnSignIn: false,
      // The provider has verified the email address; unproven sign-in methods are removed on linking.
      accountLinking: { requireLocalEmailVerified: false },
    },
    // The routes have their own limits, by IP address and by user.
    rateLimit: { enabled: false },
    databaseHooks: {
      user: { create: { after: async ({ id }) => onNewPerson(id) } },
      // Passwords are set without the library, so an account is created only when the provider first identifies the user.
      account: { create: { before: async ({ userId }) => people.endUnprovenSignIn(userId) } },
      // Checked only after the password or the identity provider has identified the user, so that nobody else learns of the lock.
      session: {
        create: {
          before: async ({ userId }) => {
            if (await people.accounts.isLocked(userId))
              throw new APIError('FORBIDDEN', { code: 'ACCOUNT_LOCKED', message: lockedSentence })
          },
        },
      },
    },
    advanced: {
      cookiePrefix: 'plumbline',
      useSecureCookies: isSecure,
      defaultCookieAttributes: { path: basePath || '/' },
      // Every route under /auth refuses requests from other sites' pages before it calls the library.
      disableCSRFCheck: true,
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    onAPIError: { errorURL: `${basePath}/app/sign-in` },
    plugins:
      provider === undefined
        ? []
        : [
            genericOAuth({
              config: [
                {
                  providerId,
                  discoveryUrl: `${provider.issuer}/.well-known/openid-configuration`,
                  clientId: provider.clientId,
                  clientSecret: provider.clientSecret,
                  scopes: ['openid', 'email', 'profile'],
                  pkce: true,
                  requireIdTokenVerification: true,
                },
              ],
            }),
          ],
  })
  const context = await auth.$context
  return {
    handle: (request) => auth.handler(request),
    hasProvider: context.socialProviders.some(({ id }) => id === providerId),
    hash: (password) => context.password.hash(password),
  }
}

/** The header in which the routes pass on the client's IP address; clients cannot set it. */
export const addressHeader = 'x-plumbline-address'
