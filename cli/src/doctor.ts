/** `plumbline doctor`: diagnoses why this key does not work with this service and suggests fixes. */
import { RequestFailed } from '@plumbline/sdk'
import { type CommandParts, FoundWrong, type Session } from './session.ts'

interface Finding {
  readonly check: 'address' | 'readiness' | 'clock' | 'key' | 'interface' | 'spool'
  readonly isRight: boolean
  readonly finding: string
  /** What to do about a problem. */
  readonly advice?: string
}

/** The API version that these commands support; major and minor must match. */
const supportedInterface = '0.2'

const timeoutMs = 10_000
const skewSecondsMax = 30
const backlogSecondsMax = 60

export function addDoctor({ program, action }: CommandParts): void {
  program
    .command('doctor')
    .description('Checks address, readiness, clock, key, interface and backlog, and suggests fixes.')
    .action(action(doctor))
}

async function doctor(session: Session): Promise<void> {
  const findings = await runChecks(session)
  const isWell = findings.every(({ isRight }) => isRight)
  const lines = findings.map(
    ({ check, isRight, finding, advice }) =>
      `${isRight ? 'ok   ' : 'WRONG'}  ${check.padEnd(9)}  ${finding}${advice === undefined ? '' : `\n       → ${advice}`}`,
  )
  session.print({ isWell, findings }, lines.join('\n'))
  if (!isWell) throw new FoundWrong()
}

async function runChecks(session: Session): Promise<Finding[]> {
  const { url } = session
  const sentAt = Date.now()
  const health = await fetchText(url, '/healthz')
  const receivedAt = Date.now()
  if (health === undefined)
    return [
      {
        check: 'address',
        isRight: false,
        finding: `${url} cannot be reached.`,
        advice:
          'Start the service there (`plumbline serve`), or set its address with --url or PLUMBLINE_URL.',
      },
    ]
  if (!health.text.includes('"alive"'))
    return [
      {
        check: 'address',
        isRight: false,
        finding: `The server at ${url} (status ${health.status}) is not the service.`,
        advice: 'Set the address of the service itself, without a path, with --url or PLUMBLINE_URL.',
      },
    ]
  return [
    { check: 'address', isRight: true, finding: `${url} responded in ${receivedAt - sentAt} ms.` },
    await checkReadiness(url),
    checkClock(health.headers.get('date'), (sentAt + receivedAt) / 2),
    await checkKey(session),
    await checkInterface(url),
    await checkSpool(url),
  ]
}

interface TextResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Returns undefined when the server does not respond. */
async function fetchText(url: string, path: string): Promise<TextResponse | undefined> {
  try {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch {
    // The missing response is the finding.
    return undefined
  }
}

async function checkReadiness(url: string): Promise<Finding> {
  const response = await fetchText(url, '/readyz')
  if (response?.status === 200) return { check: 'readiness', isRight: true, finding: 'The stores respond.' }
  return {
    check: 'readiness',
    isRight: false,
    finding: `The service is not ready: ${response?.text ?? 'it did not respond.'}`,
    advice: 'Check what it cannot reach: the database, the trace store, or the disk of its data folder.',
  }
}

function checkClock(date: string | null, localMs: number): Finding {
  const skew = date === null ? Number.NaN : Math.round((Date.parse(date) - localMs) / 1000)
  if (Number.isNaN(skew))
    return { check: 'clock', isRight: true, finding: 'The responses have no Date header to compare with.' }
  const isRight = Math.abs(skew) <= skewSecondsMax
  if (isRight) return { check: 'clock', isRight, finding: 'The clocks agree.' }
  return {
    check: 'clock',
    isRight,
    finding: `The clock of the service is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} this one.`,
    advice: 'Synchronize both machines with NTP: traces are ordered by time.',
  }
}

async function checkKey({ client, key }: Session): Promise<Finding> {
  try {
    const { apiKeys } = await client.keys.list({}, { timeoutMs })
    const now = Date.now()
    // The service never returns secrets, so the key is identified by its prefix.
    const matches = apiKeys.filter(
      ({ prefix, revokedAt, expiresAt }) =>
        key.startsWith(prefix) &&
        revokedAt === undefined &&
        (expiresAt === undefined || Date.parse(expiresAt) > now),
    )
    const [match] = matches
    if (match === undefined || matches.length > 1)
      return { check: 'key', isRight: true, finding: 'The key is valid and may read.' }
    const { name, scopes } = match
    return { check: 'key', isRight: true, finding: `The key "${name}" is valid: ${scopes.join(', ')}.` }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof RequestFailed && error.status === 403)
      return {
        check: 'key',
        isRight: true,
        finding: 'The key is valid but may not read: it has only ingest or operate, so most commands fail.',
      }
    const isRejected = error instanceof RequestFailed && error.status === 401
    return {
      check: 'key',
      isRight: false,
      finding: error.message,
      advice: isRejected
        ? 'Create a key with `plumbline keys create`, using a key that may do so, and set it in PLUMBLINE_API_KEY.'
        : 'Try again; if it still fails, check the logs of the service.',
    }
  }
}

async function checkInterface(url: string): Promise<Finding> {
  const version = /"version":"([^"]*)"/.exec((await fetchText(url, '/openapi.json'))?.text ?? '')?.[1]
  if (version?.startsWith(`${supportedInterface}.`) === true)
    return { check: 'interface', isRight: true, finding: `The interface is ${version}.` }
  return {
    check: 'interface',
    isRight: false,
    finding: `The interface is ${version ?? 'unknown'}, but these commands support ${supportedInterface}.`,
    advice: 'Use the command line of the same release as the service.',
  }
}

async function checkSpool(url: string): Promise<Finding> {
  const response = await fetchText(url, '/metrics')
  const gauge = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(response?.text ?? '')?.[1] ?? Number.NaN)
  const records = gauge('plumbline_spool_records')
  const seconds = Math.round(gauge('plumbline_spool_oldest_seconds'))
  if (Number.isNaN(records) || Number.isNaN(seconds))
    return {
      check: 'spool',
      isRight: true,
      finding: 'The service does not expose its metrics, so the backlog is unknown.',
    }
  const isRight = seconds <= backlogSecondsMax
  const finding = `${records} records are waiting for the trace store${records === 0 ? '' : `, the oldest for ${seconds} s`}.`
  if (isRight) return { check: 'spool', isRight, finding }
  const advice = 'The trace store is falling behind: check that it is reachable and that its disk has space.'
  return { check: 'spool', isRight, finding, advice }
}
