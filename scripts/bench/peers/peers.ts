/** The servers that accept the same bytes: ours, Phoenix and MLflow. How to start each, and how to count its traces. */

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { hostEnvironment } from '../../../fixtures/environment.ts'
import { apiKey } from '../metrics.ts'
import { type ProcessGroup, startGroup } from './process-group.ts'
import { environmentWith } from './python-environment.ts'

export interface Peer {
  readonly name: string
  /** Exports per round, chosen so that a round takes a few seconds. */
  readonly exportsPerRound: number
  /** Installs its requirements; throws with the reason if that fails. */
  prepare(): void
  start(folder: string, port: number): ProcessGroup
  readonly headers: Readonly<Record<string, string>>
  /** How many traces its own API returns. */
  countTraces(url: string): Promise<number>
}

const phoenixPackage = 'arize-phoenix==20.26.1'
const mlflowPackage = 'mlflow==3.17.2'
const root = join(import.meta.dirname, '../../..')

const plumbline: Peer = {
  name: 'Plumbline',
  exportsPerRound: 200,
  prepare: () => {},
  start: (folder, port) =>
    startGroup(process.execPath, [join(root, 'server/src/main.ts')], {
      ...hostEnvironment,
      PORT: String(port),
      OTLP_GRPC_PORT: '0',
      HOST: '127.0.0.1',
      PLUMBLINE_DATA_DIR: folder,
      PLUMBLINE_API_KEY: apiKey,
      PLUMBLINE_RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
      UV_THREADPOOL_SIZE: '16',
    }),
  headers: { authorization: `Bearer ${apiKey}` },
  async countTraces(url) {
    const { rows } = await readJson<{ rows: { traces: number }[] }>(`${url}/metrics/query?measures=traces`, {
      headers: this.headers,
    })
    return rows[0]?.traces ?? 0
  },
}

const phoenix: Peer = {
  name: 'Phoenix',
  exportsPerRound: 60,
  prepare: () => void environmentWith(phoenixPackage),
  async countTraces(url) {
    const { data } = await readJson<{
      data: { projects: { edges: { node: { traceCount: number } }[] } }
    }>(`${url}/graphql`, jsonPost({ query: '{ projects { edges { node { traceCount } } } }' }))
    return data.projects.edges.reduce((sum, { node }) => sum + node.traceCount, 0)
  },
  start: (folder, port) =>
    startGroup(join(environmentWith(phoenixPackage), 'phoenix'), ['serve'], {
      ...hostEnvironment,
      PHOENIX_HOST: '127.0.0.1',
      PHOENIX_PORT: String(port),
      PHOENIX_GRPC_PORT: String(port + 1),
      PHOENIX_WORKING_DIR: folder,
      PHOENIX_TELEMETRY_ENABLED: 'false',
      PHOENIX_ALLOW_EXTERNAL_RESOURCES: 'false',
    }),
  headers: {},
}

const mlflow: Peer = {
  name: 'MLflow',
  exportsPerRound: 16,
  prepare: () => void environmentWith(mlflowPackage),
  start(folder, port) {
    const commands = environmentWith(mlflowPackage)
    return startGroup(
      join(commands, 'mlflow'),
      [
        ...['server', '--backend-store-uri', `sqlite:///${folder}/mlflow.db`],
        ...['--artifacts-destination', `${folder}/artifacts`],
        ...['--host', '127.0.0.1', '--port', String(port)],
      ],
      {
        ...hostEnvironment,
        PATH: `${commands}:${hostEnvironment.PATH}`,
        MLFLOW_DISABLE_TELEMETRY: 'true',
        DO_NOT_TRACK: 'true',
      },
    )
  },
  headers: { 'x-mlflow-experiment-id': '0' },
  async countTraces(url) {
    let count = 0
    let pageToken: string | undefined
    do {
      const page = await readJson<{ traces?: unknown[]; next_page_token?: string }>(
        `${url}/api/3.0/mlflow/traces/search`,
        jsonPost({
          locations: [{ type: 'MLFLOW_EXPERIMENT', mlflow_experiment: { experiment_id: '0' } }],
          max_results: 500,
          ...(pageToken === undefined ? {} : { page_token: pageToken }),
        }),
      )
      count += page.traces?.length ?? 0
      pageToken = page.next_page_token || undefined
    } while (pageToken !== undefined)
    return count
  },
}

export const peers: readonly Peer[] = [plumbline, phoenix, mlflow]

const jsonPost = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function readJson<Answer>(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  if (!response.ok)
    throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 200)}`)
  // Safe: each caller reads its own server.
  return (await response.json()) as Answer
}

/** A free port, whose successor is most likely free too. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
