/** The server that is filled: one that runs, or one that is opened here on the data folder. */
import { defaultWorkspaceId } from '@plumbline/storage/control'
import { pino } from 'pino'
import { type App, createApp } from '../../server/src/app.ts'
import { BadConfiguration, readConfig } from '../../server/src/config.ts'
import { holdDataFolder } from '../../server/src/data-folder.ts'
import { hashSecret, makeSecret, shownPrefix } from '../../server/src/keys/secret.ts'

export interface Target {
  readonly url: string
  readonly key: string
  /** The folder, where the server was opened here. */
  readonly dataFolder?: string
  /** Whether the key was made here, and is told nowhere else. */
  readonly isKeyNew: boolean
  /** Resolves once lists and metrics show everything. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** A server that runs. It shows in its lists what it has taken within a second. */
export const runningServer = (server: { url: string; key: string }): Target => ({
  ...server,
  isKeyNew: false,
  settle: () => new Promise((resolve) => setTimeout(resolve, 1500)),
  close: async () => {},
})

/** Opens the service on the data folder and a free port that only this machine reaches. */
export async function openServer(environment: Readonly<Record<string, string | undefined>>): Promise<Target> {
  const config = readConfig(environment)
  const folder = holdFolder(config.PLUMBLINE_DATA_DIR)
  const logger = pino(
    { level: config.LOG_LEVEL === 'silent' ? 'silent' : 'warn', base: null },
    pino.destination(2),
  )
  const app = await createApp({ config, dataFolder: folder.path, logger })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const known = config.PLUMBLINE_API_KEY
  return {
    url,
    key: known ?? app.firstSecret ?? (await makeKey(app)),
    isKeyNew: known === undefined,
    dataFolder: folder.path,
    settle: () => app.flush(),
    async close() {
      await app.close()
      folder.release()
    },
  }
}

function holdFolder(path: string) {
  try {
    return holdDataFolder(path)
  } catch (error) {
    if (!(error instanceof BadConfiguration) || !error.message.includes('in use')) throw error
    const hint =
      'If that is a server, let the demo fill it through its API: npm run demo -- --url URL --key KEY'
    throw new BadConfiguration(`${error.message}\n${hint}`, { cause: error })
  }
}

/** The secrets of the keys that are there are stored nowhere, so the demo needs one of its own. */
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
