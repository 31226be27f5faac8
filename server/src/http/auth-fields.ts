import { emailPattern, invalid } from '@plumbline/contract'

const checks: Readonly<Record<string, (value: string) => string | undefined>> = {
  email: (value) =>
    new RegExp(emailPattern).test(value) && value.length <= 254 ? undefined : 'must be an e-mail address',
  name: (value) => (value.trim() !== '' && value.length <= 128 ? undefined : 'must have 1 to 128 characters'),
}

/** The texts that a body must have; an address comes in lower case. */
export function fieldsOf<Name extends string>(body: unknown, names: readonly Name[]): Record<Name, string> {
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const read = names.map((name): [Name, string] => {
    const value = given[name]
    if (typeof value !== 'string')
      throw invalid(name, value === undefined ? 'is required' : 'must be a string')
    const problem = checks[name]?.(value)
    if (problem !== undefined) throw invalid(name, problem)
    return [name, name === 'email' ? value.toLowerCase() : value]
  })
  // Safe: there is one entry for each name.
  return Object.fromEntries(read) as Record<Name, string>
}
