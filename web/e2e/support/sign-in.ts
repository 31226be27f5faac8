import type { BrowserContext } from 'playwright-core'
import { owner } from './start-service.ts'

const triesMax = 5

/** Signs a browser in as the owner: it has the cookie of a session then. Where too many have, it waits as it is told. */
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
