/** Signing in, by better-auth. It is loaded when the first person comes: most processes only record. */
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
  /** What the addresses of the service begin with in browsers. */
  readonly basePath: string
  readonly provider: IdentityProvider | undefined
  /** That of the library, scrypt, if undefined. */
  readonly passwordHash: PasswordHash | undefined
  /** Told of a person who came by the identity provider for the first time. */
  readonly onNewPerson: (personId: string) => Promise<void>
  readonly logger: Logger
}

export interface SignIn {
  /** Answers a request under `/auth`. */
  handle(request: Request): Promise<Response>
  /** Whether the identity provider has said how to sign in with it. */
  readonly hasProvider: boolean
  /** What is stored of a password. */
  hash(password: string): Promise<string>
}

/** The name of the identity provider in addresses. */
const providerId = 'oidc'

const dayS = 24 * 3600
/** How long somebody stays signed in, however often the session is used. */
const sessionS = 30 * dayS

/** The message for the right password of an account that is locked. */
const lockedSentence = 'This account is locked; ask the operator of this service.'

/** The way to sign in, made when it is first needed; `byProvider` where the identity provider must have answered. */
export type SignInOf = (byProvider?: boolean) => Promise<SignIn>

export function makeSignIn(parts: SignInParts): SignInOf {
  let signInPromise: Promise<SignIn> | undefined
  return async (byProvider = false) => {
    signInPromise ??= load(parts)
    const signIn = await signInPromise
    if (!byProvider || parts.provider === undefined || signIn.hasProvider) return signIn
    // It was away when it was first asked; passwords work meanwhile.
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
      // People come by the set-up, an invitation or the identity provider.
      disableSignUp: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      ...(passwordHash === undefined ? {} : { password: passwordHash }),
    },
    session: { expiresIn: sessionS, disableSessionRefresh: true },
    account: {
      storeStateStrategy: 'cookie',
      updateAccountOnSignIn: false,
      // The provider vouches for the address, and what is unproven ends with that.
      accountLinking: { requireLocalEmailVerified: false },
    },
    // The routes have limits of their own, by address and by person.
    rateLimit: { enabled: false },
    databaseHooks: {
      user: { create: { after: async ({ id }) => onNewPerson(id) } },
      // Passwords are set without the library, so that this is the first time that the provider says who it is.
      account: { create: { before: async ({ userId }) => people.endUnprovenSignIn(userId) } },
      // Asked once the password or the identity provider has said who it is: nobody else learns of the lock.
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
      // Every route under /auth refuses other pages' requests before they come here.
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

/** The header in which the routes pass on the address of the client, which no client can set. */
export const addressHeader = 'x-plumbline-address'
