/** The session cookie: the token of the session and its signature. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const baseName = 'plumbline.session_token'

/** The cookie's name; browsers accept one that starts with `__Secure-` over HTTPS only. */
export const sessionCookieName = (isSecure: boolean): string => (isSecure ? `__Secure-${baseName}` : baseName)

/** The values of a Cookie header, by name; of a repeated name, the first one. */
export function readCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const part of header.split(';')) {
    const index = part.indexOf('=')
    const name = part.slice(0, Math.max(index, 0)).trim()
    if (name === '' || cookies.has(name)) continue
    try {
      cookies.set(name, decodeURIComponent(part.slice(index + 1).trim()))
    } catch {
      // A value that is not encoded like ours belongs to another program's cookie.
    }
  }
  return cookies
}

/** The value of the cookie for a session. */
export const signSession = (token: string, secret: string): string => `${token}.${signatureOf(token, secret)}`

/** The token in a cookie's value, if its signature is ours. */
export function tokenIn(value: string, secret: string): string | undefined {
  const index = value.lastIndexOf('.')
  const token = value.slice(0, Math.max(index, 0))
  const actual = Buffer.from(value.slice(index + 1))
  const expected = Buffer.from(signatureOf(token, secret))
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? token : undefined
}

const signatureOf = (token: string, secret: string): string =>
  createHmac('sha256', secret).update(token).digest('base64')
