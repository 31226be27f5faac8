/** Maps better-auth's errors to the interface's errors. */
import { invalid, ServiceError } from '@plumbline/contract'

/** Clearer messages for the most common ones. */
const words: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong.',
  INVALID_PASSWORD: 'The password is wrong.',
  PROVIDER_NOT_FOUND: 'This service has no identity provider.',
  UNAUTHORIZED: 'You are signed out; sign in again.',
}

/** The error in a response. */
export async function readSignInError(response: Response): Promise<ServiceError> {
  const { code = '', message = '' } = await readBody(response)
  const plain = words[code] ?? (message === '' ? 'The request was refused.' : sentence(message))
  switch (response.status) {
    case 401:
      return new ServiceError('unauthorized', { problem: message === '' ? words.UNAUTHORIZED! : plain })
    case 403:
      return new ServiceError('forbidden', { problem: plain })
    case 404:
      return code === 'PROVIDER_NOT_FOUND'
        ? invalid('provider', 'this service has no such identity provider')
        : new ServiceError('route_not_found', { path: new URL(response.url || 'http://x/auth').pathname })
    default:
      if (response.status < 500)
        return invalid(code === 'INVALID_PASSWORD' ? 'currentPassword' : 'body', plain)
      throw new Error(`The sign-in failed with ${response.status}: ${plain}`)
  }
}

async function readBody(response: Response): Promise<{ code?: string; message?: string }> {
  try {
    return (await response.json()) as { code?: string; message?: string }
  } catch {
    // Some errors have no body.
    return {}
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
