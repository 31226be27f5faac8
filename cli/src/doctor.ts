/** `plumbline doctor`: what keeps this key from working with this service, and what to do about it. */
import { RequestFailed } from '@plumbline/sdk'
import { type CommandParts, FoundWrong, type Session } from './session.ts'

interface Finding {
  readonly check: 'address' | 'readiness' | 'clock' | 'key' | 'interface' | 'spool'
  readonly isRight: boolean
  readonly finding: string
  /** What to do, where something is wrong. */
  readonly advice?: string
}

/** The interface that these commands were made for; the first two numbers tell whether they fit. */
const madeFor = '0.2'

const patienceMs = 10_000
const skewSecondsMax = 30
const backlogSecondsMax = 60

export function addDoctor({ program, action }: CommandParts): void {
  program
    .command('doctor')
    .description('Checks address, readiness, clock, key, interface and backlog, and says what to do.')
    .action(action(doctor))
}

async function doctor(session: Session): Promise<void> {
  const findings = await examine(session)
  const isWell = findings.every(({ isRight }) => isRight)
  const words = findings.map(
    ({ check, isRight, finding, advice }) =>
      `${isRight ? 'ok   ' : 'WRONG'}  ${check.padEnd(9)}  ${finding}${advice === undefined ? '' : `\n       → ${advice}`}`,
  )
  session.print({ isWell, findings }, words.join('\n'))
  if (!isWell) throw new FoundWrong()
}

async function examine(session: Session): Promise<Finding[]> {
  const { url } = session
  const asked = Date.now()
  const alive = await ask(url, '/healthz')
  const answered = Date.now()
  if (alive === undefined)
    return [
      {
        check: 'address',
        isRight: false,
        finding: `${url} cannot be reached.`,
        advice:
          'Start the service there (`plumbline serve`), or give its address with --url or in PLUMBLINE_URL.',
      },
    ]
  if (!alive.text.includes('"alive"'))
    return [
      {
        check: 'address',
        isRight: false,
        finding: `What answers at ${url} (${alive.status}) is not the service.`,
        advice: 'Give the address of the service itself, without a path, with --url or in PLUMBLINE_URL.',
      },
    ]
  return [
    { check: 'address', isRight: true, finding: `${url} answers in ${answered - asked} ms.` },
    await examineReadiness(url),
    examineClock(alive.headers.get('date'), (asked + answered) / 2),
    await examineKey(session),
    await examineInterface(url),
    await examineSpool(url),
  ]
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Undefined when no answer comes. */
async function ask(url: string, path: string): Promise<Answer | undefined> {
  try {
    const answer = await fetch(url + path, { signal: AbortSignal.timeout(patienceMs) })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch {
    // That no answer came is the finding.
    return undefined
  }
}

async function examineReadiness(url: string): Promise<Finding> {
  const answer = await ask(url, '/readyz')
  if (answer?.status === 200) return { check: 'readiness', isRight: true, finding: 'The stores answer.' }
  return {
    check: 'readiness',
    isRight: false,
    finding: `The service is not ready: ${answer?.text ?? 'no answer came.'}`,
    advice: 'Look after what it cannot reach: the database, the trace store, or the disk of its data folder.',
  }
}

function examineClock(date: string | null, hereMs: number): Finding {
  const skew = date === null ? Number.NaN : Math.round((Date.parse(date) - hereMs) / 1000)
  if (Number.isNaN(skew))
    return { check: 'clock', isRight: true, finding: 'The answers carry no time to compare with.' }
  const isRight = Math.abs(skew) <= skewSecondsMax
  if (isRight) return { check: 'clock', isRight, finding: 'The clocks agree.' }
  return {
    check: 'clock',
    isRight,
    finding: `The clock of the service is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} this one.`,
    advice: 'Let both machines take their time from the network (NTP): traces are ordered by it.',
  }
}

async function examineKey({ client, key }: Session): Promise<Finding> {
  try {
    const { apiKeys } = await client.keys.list({}, { timeoutMs: patienceMs })
    const now = Date.now()
    // A secret is not told again, so the key is found by how it begins.
    const same = apiKeys.filter(
      ({ prefix, revokedAt, expiresAt }) =>
        key.startsWith(prefix) &&
        revokedAt === undefined &&
        (expiresAt === undefined || Date.parse(expiresAt) > now),
    )
    const [found] = same
    if (found === undefined || same.length > 1)
      return { check: 'key', isRight: true, finding: 'The key is valid, and may read.' }
    const { name, scopes } = found
    return { check: 'key', isRight: true, finding: `The key "${name}" is valid: ${scopes.join(', ')}.` }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof RequestFailed && error.status === 403)
      return {
        check: 'key',
        isRight: true,
        finding: 'The key is valid, but may not read: it has ingest or operate only, so most commands fail.',
      }
    const isRefused = error instanceof RequestFailed && error.status === 401
    return {
      check: 'key',
      isRight: false,
      finding: error.message,
      advice: isRefused
        ? 'Make a key with `plumbline keys create` under one that may, and give it in PLUMBLINE_API_KEY.'
        : 'Try again; if it stays so, the diagnostics of the service tell why.',
    }
  }
}

async function examineInterface(url: string): Promise<Finding> {
  const version = /"version":"([^"]*)"/.exec((await ask(url, '/openapi.json'))?.text ?? '')?.[1]
  if (version?.startsWith(`${madeFor}.`) === true)
    return { check: 'interface', isRight: true, finding: `The interface is ${version}.` }
  return {
    check: 'interface',
    isRight: false,
    finding: `The interface is ${version ?? 'unknown'}, and these commands were made for ${madeFor}.`,
    advice: 'Use the command line of the same release as the service.',
  }
}

async function examineSpool(url: string): Promise<Finding> {
  const answer = await ask(url, '/metrics')
  const gauge = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(answer?.text ?? '')?.[1] ?? Number.NaN)
  const records = gauge('plumbline_spool_records')
  const seconds = Math.round(gauge('plumbline_spool_oldest_seconds'))
  if (Number.isNaN(records) || Number.isNaN(seconds))
    return {
      check: 'spool',
      isRight: true,
      finding: 'The service keeps its metrics to itself, so the backlog is unknown.',
    }
  const isRight = seconds <= backlogSecondsMax
  const finding = `${records} records are on their way to the trace store${records === 0 ? '' : `, the oldest for ${seconds} s`}.`
  if (isRight) return { check: 'spool', isRight, finding }
  const advice = 'The trace store does not keep up: see that it is reachable, and that its disk has space.'
  return { check: 'spool', isRight, finding, advice }
}
