/**
 * The names of fields and headers that hold credentials. `python/plumbline/_credentials.py` has the same rules, and the cases
 * in fixtures/clients test both.
 */

/** Replaces a credential in records. */
export const leftOut = '[left out]'

const fieldEnd = new RegExp(
  `(?:${[
    '(?:api|access|account|encryption|functions|master|private|secret|service|shared|signing|storage|subscription)key(?:id)?',
    // Tokens can also be page cursors, or mark the end of a text for a model.
    '(?<!page|next|continuation|cancel|cancellation|bos|eos|pad)token',
    'secrets?|passwords?|passwd|passphrase|credentials?|authorization|auth|authheaders?|cookies?|jwt|connectionstring|dsn',
  ].join('|')})$`,
)

/** Whether a field of an object holds a credential. In lists, a field named `token` is a piece of text. */
export function isCredentialField(name: string, isInList = false): boolean {
  const letters = name.replace(/[^a-z]/gi, '').toLowerCase()
  return fieldEnd.test(letters) && !(isInList && letters === 'token')
}

/** Hides the value of a credential field. Values that cannot be credentials stay, such as `hasToken: true`. */
export const hideCredential = (value: unknown): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null) ? leftOut : value

/** Whether a header holds a credential: a broader rule, since headers that sign requests have many names. */
export const isCredentialHeader = (name: string): boolean =>
  /auth|cookie|token|secret|signature|(?:^|-)key$/i.test(name) || isCredentialField(name)

/** Removes the password from a URL, such as that of a database. */
export const withoutPassword = (text: string): string =>
  text.replace(/^([a-z][a-z\d+.-]*:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/i, `$1${leftOut}`)
