import type { BrowserContext } from 'playwright-core'
import { owner } from './start-service.ts'

const triesMax = 5

/**
 * Signs a browser in as the owner: it then has a session cookie. If there were too many sign-ins, it waits as the
 * response says.
 */
export async function signIn(context: BrowserContext, url: string): Promise<void> {
  const { email, password } = owner
  const ask = () =>
    context.request.post(`${url}/auth/sign-in/email`, { headers: { origin: url }, data: { email, password } })
  let answer = await ask()
  for (let tries = 1; answer.status() === 429 && tries < triesMax; tries++) {
    const seconds = Number(answer.headers()['retry-after'] ?? 1)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    answer = await ask()
  }
  if (!answer.ok()) throw new Error(`The sign-in was refused: ${await answer.text()}`)
}
