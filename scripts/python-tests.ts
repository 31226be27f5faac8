/**
 * `node scripts/python-tests.ts [ARGUMENT of pytest ...]`: the tests of the Python client, against the service and the
 * model server. Creates a virtual environment with the real packages, and keeps it. If Python 3.10 or its packages are
 * not available, it prints NOT RUN with the reason and succeeds; with `--required` as the first argument it fails.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostEnvironment } from '../fixtures/environment.ts'
import { startModelServer } from '../fixtures/model-server/server.ts'
import { pythonCommand } from './python/find-python.ts'

const root = join(import.meta.dirname, '..')
const [first, ...rest] = process.argv.slice(2)
const isRequired = first === '--required'
const args = isRequired ? rest : process.argv.slice(2)

/** The packages that the tests import; pandas is optional for users, but tested here. */
const packages = [
  'opentelemetry-sdk',
  'jinja2',
  'typing-extensions',
  'pytest',
  'pytest-xdist',
  'mypy',
  'openai',
  'anthropic',
  'google-genai',
  'langchain-core',
  'langgraph',
  'pandas',
  'attrs',
  'gevent',
  'celery',
  'openinference-instrumentation-openai',
]

function giveUp(reason: string): never {
  console.log(`Python tests NOT RUN: ${reason}`)
  process.exit(isRequired ? 1 : 0)
}

const python = pythonCommand()
const environment = hostEnvironment.PLUMBLINE_PYTHON_ENVIRONMENT ?? makeEnvironment()

/** A virtual environment with the packages and the client of this checkout. */
function makeEnvironment(): string {
  if (python === undefined) giveUp('there is no Python 3.10 or newer.')
  const version = execFileSync(python, ['--version'], { encoding: 'utf8' })
  const name = createHash('sha256').update(`${version}${root}${packages.join()}`).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `plumbline-python-${name}`)
  if (existsSync(join(folder, 'ready'))) return folder
  rmSync(folder, { recursive: true, force: true })
  const steps: [string, string[]][] = [
    [python, ['-m', 'venv', folder]],
    [join(folder, 'bin/pip'), ['install', '-q', '--disable-pip-version-check', ...packages]],
    [
      join(folder, 'bin/pip'),
      ['install', '-q', '--disable-pip-version-check', '--no-deps', '-e', join(root, 'python')],
    ],
  ]
  for (const [command, words] of steps) {
    const { status, stderr, error } = spawnSync(command, words, { encoding: 'utf8', timeout: 300_000 })
    if (status !== 0)
      giveUp(
        `${command} ${words.slice(0, 2).join(' ')} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`,
      )
  }
  mkdirSync(join(folder, 'ready'))
  return folder
}

const types = spawnSync(join(environment, 'bin/python'), ['-m', 'mypy'], {
  cwd: join(root, 'python'),
  stdio: 'inherit',
})
if (types.status !== 0) process.exit(types.status ?? 1)

const models = await startModelServer({ port: 0 })
const { status } = await run(
  process.execPath,
  [
    join(root, 'scripts/with-server.ts'),
    join(environment, 'bin/python'),
    ...['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--durations=5', ...args],
  ],
  { ...hostEnvironment, OPENAI_BASE_URL: models.url, UV_THREADPOOL_SIZE: '16' },
)
await models.close()
process.exit(status)

/** Not `spawnSync`, since the model server runs in this process. */
async function run(
  command: string,
  words: readonly string[],
  env: Record<string, string | undefined>,
): Promise<{ status: number }> {
  const child = spawn(command, words, { cwd: join(root, 'python'), env, stdio: 'inherit' })
  return { status: await new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1))) }
}
