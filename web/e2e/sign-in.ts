import type { BrowserContext } from 'playwright-core'
import { owner } from './start-service.ts'

/** Signs a browser in as the owner: it has the cookie of a session then. */
export async function signIn(context: BrowserContext, url: string): Promise<void> {
  const { email, password } = owner
  const answer = await context.request.post(`${url}/auth/sign-in/email`, {
    headers: { origin: url },
    data: { email, password },
  })
  if (!answer.ok()) throw new Error(`The sign-in was refused: ${await answer.text()}`)
}
