/**
 * Names that hold what signs somebody in: the one list of this client. `python/plumbline/_credentials.py` has the same rules,
 * and the cases in fixtures/clients hold both to them.
 */

/** What is recorded in the place of a credential. */
export const leftOut = '[left out]'

const fieldEnd = new RegExp(
  `(?:${[
    '(?:api|access|account|encryption|functions|master|private|secret|service|shared|signing|storage|subscription)key(?:id)?',
    // Pages are turned by tokens as well, and models are told by them where a text ends.
    '(?<!page|next|continuation|cancel|cancellation|bos|eos|pad)token',
    'secrets?|passwords?|passwd|passphrase|credentials?|authorization|auth|authheaders?|cookies?|jwt|connectionstring|dsn',
  ].join('|')})$`,
)

/** Whether a field of an object holds a credential. In a list, what is just called a token is a piece of a text. */
export function isCredentialField(name: string, isInList = false): boolean {
  const letters = name.replace(/[^a-z]/gi, '').toLowerCase()
  return fieldEnd.test(letters) && !(isInList && letters === 'token')
}

/** What is recorded of a credential's field: what can be none stays, such as `hasToken: true`. */
export const hideCredential = (value: unknown): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null) ? leftOut : value

/** Whether a header holds a credential: a wider rule, since those that sign requests have names of many kinds. */
export const isCredentialHeader = (name: string): boolean =>
  /auth|cookie|token|secret|signature|(?:^|-)key$/i.test(name) || isCredentialField(name)

/** Without the password of an address, such as that of a database. */
export const withoutPassword = (text: string): string =>
  text.replace(/^([a-z][a-z\d+.-]*:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/i, `$1${leftOut}`)
