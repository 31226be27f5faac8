/** What the service prints when it has started. */
import { linkTo } from './accounts/people/one-time-link.ts'

const firstTrace = JSON.stringify({
  name: 'hello',
  input: 'What is the capital of France?',
  output: 'Paris.',
  logs: [
    {
      id: '1',
      type: 'generation',
      name: 'answer',
      input: 'What is the capital of France?',
      output: 'Paris.',
      metadata: { provider: 'open-ai', model: 'gpt-4o' },
    },
  ],
})

/** What the banner needs: the API key if one was just created, the set-up token until there is an owner, and notices. */
export interface StartupInfo {
  readonly firstSecret: string | undefined
  readonly setUpToken: string | undefined
  /** What the operator has to know, as sentences. */
  readonly notices: readonly string[]
}

/** The URLs and, if a key was just created, a command line to paste that records a trace and reads it back. */
export function makeStartupBanner(
  address: string,
  { firstSecret, setUpToken, notices }: StartupInfo,
): string {
  const lines = ['', `  Plumbline is ready: ${address}`, `  The API, to browse and try: ${address}/docs`, '']
  for (const notice of notices) lines.push(`  ${notice}`, '')
  if (setUpToken !== undefined)
    lines.push(
      '  Create the owner account (this link works once):',
      '',
      `    ${linkTo(address, 'setUp', setUpToken)}`,
      '',
    )
  if (firstSecret === undefined) return `${lines.join('\n')}\n`
  const key = `-H 'Authorization: Bearer ${firstSecret}'`
  const record = `curl -s ${address}/monitor/trace ${key} -H 'Content-Type: application/json' -d '${firstTrace}'`
  const id = `sed 's/.*"id":"\\([^"]*\\)".*/\\1/'`
  return `${[
    ...lines,
    '  Your API key, with the scopes ingest, read and manage. It is shown only once and stored only as a hash:',
    '',
    `    ${firstSecret}`,
    '',
    '  Paste this to record your first trace and read it back:',
    '',
    `ID=$(${record} | ${id}) && curl -s ${address}/monitor/traces/$ID ${key}; echo`,
    '',
  ].join('\n')}\n`
}
