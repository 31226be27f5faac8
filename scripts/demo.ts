/**
 * `npm run demo`: `plumbline demo` for a running service, or, without --url, on the data folder of a stopped one, which
 * is opened here meanwhile.
 */
import { defaultWorkspaceId } from '@plumbline/storage/control'
import { pino } from 'pino'
import { run } from '../cli/src/run.ts'
import { readSettings } from '../cli/src/settings.ts'
import { hashSecret, makeSecret, shownPrefix } from '../server/src/accounts/keys/secret.ts'
import { type App, createApp } from '../server/src/app.ts'
import { BadConfiguration, type Config, readConfig } from '../server/src/config.ts'
import { readHostList } from '../server/src/network/host-policy.ts'
import { type DataFolder, lockDataDir } from '../server/src/process/data/data-folder.ts'

const words = process.argv.slice(2)
const settings = readSettings()

const demo = (url: string | undefined, key: string | undefined): Promise<number> =>
  run(['demo', ...words], {
    settings: { ...settings, url, key },
    stdout: process.stdout,
    stderr: process.stderr,
    signal: new AbortController().signal,
  })

async function fillFolder(config: Config): Promise<number> {
  const folder = lockFolder(config.PLUMBLINE_DATA_DIR)
  const level = config.LOG_LEVEL === 'silent' ? 'silent' : 'warn'
  const app = await createApp({
    // The experiment run of the demo calls an endpoint of this process.
    config: { ...config, PLUMBLINE_ENDPOINT_HOSTS: readHostList('127.0.0.1') },
    dataFolder: folder.path,
    logger: pino({ level, base: null }, pino.destination(2)),
  })
  try {
    // On a port that is reachable only from this machine.
    const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const key = config.PLUMBLINE_API_KEY ?? (await makeKey(app))
    const status = await demo(url, key)
    if (status === 0) process.stderr.write(`\n${describeNextSteps(folder.path, key, config)}`)
    return status
  } finally {
    await app.close()
    folder.release()
  }
}

function lockFolder(path: string): DataFolder {
  try {
    return lockDataDir(path)
  } catch (error) {
    if (!(error instanceof BadConfiguration) || !error.message.includes('in use')) throw error
    const hint = 'If that is a service, fill it through its API: npm run demo -- --url URL --key KEY'
    throw new BadConfiguration(`${error.message}\n${hint}`, { cause: error })
  }
}

/** The secrets of existing keys are not stored, so the demo needs its own key. */
async function makeKey({ control }: App): Promise<string> {
  const secret = makeSecret()
  await control.scopedTo({ workspaceId: defaultWorkspaceId }).apiKeys.create(
    {
      name: 'Demo',
      hash: hashSecret(secret),
      prefix: shownPrefix(secret),
      scopes: ['ingest', 'read', 'manage'],
    },
    new Date(),
  )
  return secret
}

function describeNextSteps(folder: string, key: string, { PLUMBLINE_API_KEY: presetKey }: Config): string {
  const keyNotice =
    presetKey === undefined
      ? `  A key of this workspace, with the scopes ingest, read and manage. It is shown only once:\n\n    ${key}\n\n`
      : ''
  return `${keyNotice}  Start the service on this folder:\n\n    PLUMBLINE_DATA_DIR='${folder}' npm start\n`
}

const usesApi = settings.url !== undefined || words.some((word) => /^(?:--url\b|--help$|-h$)/.test(word))
try {
  process.exitCode = usesApi ? await demo(settings.url, settings.key) : await fillFolder(readConfig())
} catch (error) {
  if (!(error instanceof BadConfiguration)) throw error
  process.stderr.write(`The demo cannot continue.\n${error.message}\n`)
  process.exitCode = 1
}
