/** Why a single sign-on failed. Pure. */

const retry = 'Try again.'

/** By the code in the URL. Nothing else from the URL is shown, since anyone can craft one. */
const sentences = new Map<string, (provider: string) => string>(
  Object.entries({
    access_denied: (provider) => `${provider} did not let you in, or the sign-in was cancelled.`,
    account_not_linked: (provider) =>
      `An account with your e-mail address exists here, but ${provider} has not verified the address. Verify it there, or sign in with your password.`,
    signup_disabled: () => 'There is no account with your e-mail address. Ask for an invitation.',
    email_not_found: (provider) =>
      `${provider} did not send your e-mail address, which is needed to identify you.`,
    account_locked: () => 'This account is locked; ask the operator of this service.',
    state_mismatch: () => `The sign-in took too long, or started in another browser. ${retry}`,
    state_not_found: () => `The sign-in took too long, or started in another browser. ${retry}`,
  }),
)

/** The sentence for a code of the sign-in; `provider` is the name of the identity provider. */
export function explainRefusal(code: string, provider = 'The identity provider'): string {
  const sentence = sentences.get(code.toLowerCase())
  if (sentence !== undefined) return sentence(provider)
  const name = /^\w{1,60}$/.test(code) ? ` (${code})` : ''
  return `The sign-in with ${provider.replace(/^The /, 'the ')} failed${name}. ${retry} The operator can find the cause in the service log.`
}
