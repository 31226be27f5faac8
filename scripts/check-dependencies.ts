/**
 * `npm run audit`: checks known vulnerabilities and signatures of the packages, as far as the registry responds, and
 * the lock file without it.
 *
 *   npm run audit                 reports checks that did not run, and fails on findings
 *   npm run audit -- --required   also fails if the registry did not respond
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { problemsOfLock, type RegistryAnswer, readAdvisories, readSignatures } from './audit/read-audit.ts'

const { values } = parseArgs({ options: { required: { type: 'boolean', default: false } } })
const timeoutMs = 60_000

/** The output of npm, regardless of its exit status. */
const npm = (...command: string[]): Promise<string> =>
  new Promise((resolve) => {
    const patience = ['--json', '--fetch-retries=0', '--fetch-timeout=20000']
    execFile('npm', [...command, ...patience], { timeout: timeoutMs, maxBuffer: 2 ** 26 }, (_error, output) =>
      resolve(output),
    )
  })

const report = (subject: string, answer: RegistryAnswer): void => {
  if (answer.type === 'away') console.log(`NOT RUN: ${subject}: ${answer.problem}`)
  else console.log(`${answer.problems.length === 0 ? 'ok' : 'FOUND'}: ${subject}: ${answer.summary}`)
  if (answer.type === 'ran') for (const problem of answer.problems) console.log(`  ${problem}`)
}

const lock = problemsOfLock(
  JSON.parse(readFileSync('package-lock.json', 'utf8')),
  JSON.parse(readFileSync('package.json', 'utf8')),
)
const answers = {
  'the lock file': lock,
  'known vulnerabilities of production packages (npm audit --omit=dev)': readAdvisories(
    await npm('audit', '--omit=dev'),
  ),
  'registry signatures (npm audit signatures)': readSignatures(await npm('audit', 'signatures')),
}
for (const [subject, answer] of Object.entries(answers)) report(subject, answer)
const isAway = Object.values(answers).some(({ type }) => type === 'away')
if (isAway)
  console.log(
    'Repeat the checks that did not run where the registry responds: docs/security.md, "Dependencies".',
  )
const hasProblems = Object.values(answers).some(
  (answer) => answer.type === 'ran' && answer.problems.length > 0,
)
if (hasProblems || (values.required && isAway)) process.exit(1)
