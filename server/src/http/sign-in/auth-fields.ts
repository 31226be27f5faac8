import { emailPattern, invalid } from '@plumbline/contract'
import { passwordLengthMax } from '../../accounts/people/password-strength.ts'

const atMost = (most: number) => (value: string) =>
  value.length <= most ? undefined : `must have at most ${most} characters`

/** The check for each text field of bodies under `/auth`. */
const checks = {
  email: (value: string) =>
    new RegExp(emailPattern).test(value) && value.length <= 254 ? undefined : 'must be an e-mail address',
  name: (value: string) =>
    value.trim() !== '' && value.length <= 128 ? undefined : 'must have 1 to 128 characters',
  password: atMost(passwordLengthMax),
  currentPassword: atMost(passwordLengthMax),
  newPassword: atMost(passwordLengthMax),
  token: atMost(512),
  provider: atMost(64),
  callbackURL: atMost(2048),
} as const satisfies Record<string, (value: string) => string | undefined>

export type AuthField = keyof typeof checks

/** Reads the required texts of a body; email addresses are returned in lower case. */
export function fieldsOf<Name extends AuthField>(
  body: unknown,
  names: readonly Name[],
): Record<Name, string> {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const read = names.map((name): [Name, string] => {
    const value = fields[name]
    if (typeof value !== 'string')
      throw invalid(name, value === undefined ? 'is required' : 'must be a string')
    const problem = checks[name](value)
    if (problem !== undefined) throw invalid(name, problem)
    return [name, name === 'email' ? value.toLowerCase() : value]
  })
  // Safe: there is one entry for each name.
  return Object.fromEntries(read) as Record<Name, string>
}
