/**
 * ClickHouse's HTTP interface in front of chDB, as far as `@clickhouse/client` uses it, so that tests run the same
 * store through a real network client. The engine allows one folder per process, so this is a separate process: `node
 * testing-http.ts FOLDER [PORT]` writes its port to standard output and ends when standard input does.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createGunzip } from 'node:zlib'
import { ClickHouseError } from '@clickhouse/client'
import { ChdbConnection } from '../engine/chdb-connection.ts'
import { embeddedArguments } from '../engine/clients.ts'

const folder = process.argv[2]
if (folder === undefined) throw new Error('Name the folder of the engine.')
const connection = new ChdbConnection(folder, 4, embeddedArguments)
/** Parameters of the protocol itself; everything else in the URL is an engine setting. */
const protocol = new Set([
  'query',
  'query_id',
  'database',
  'session_id',
  'role',
  'wait_end_of_query',
  'enable_http_compression',
])

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    const serverError = error instanceof ClickHouseError ? error : undefined
    response.writeHead(serverError?.code === '60' ? 404 : 500, {
      'X-ClickHouse-Exception-Code': serverError?.code ?? '1002',
    })
    const sentence = error instanceof Error ? error.message : String(error)
    response.end(
      `Code: ${serverError?.code ?? '1002'}. DB::Exception: ${sentence}. (${serverError?.type ?? 'UNKNOWN_EXCEPTION'}) (version 26.7.2.1)\n`,
    )
  })
})
server.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
process.stdin.resume().once('end', () => {
  server.closeAllConnections()
  server.close(() => void connection.close())
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://engine')
  if (url.pathname === '/ping') return void response.end('Ok.\n')
  const body = await bytes(request)
  const inUrl = url.searchParams.get('query')
  const query = inUrl ?? body.toString()
  const query_params: Record<string, string | string[]> = {}
  const clickhouse_settings: Record<string, string> = {}
  for (const [name, value] of url.searchParams) {
    if (name.startsWith('param_')) query_params[name.slice('param_'.length)] = parameterOf(value)
    else if (!protocol.has(name)) clickhouse_settings[name] = value
  }
  if (inUrl !== null && body.length > 0) {
    await connection.insertBytes(query, body, clickhouse_settings)
    response.end()
    return
  }
  const result = await connection.query({ query, query_params, clickhouse_settings })
  result.stream.pipe(response)
}

async function bytes(request: IncomingMessage): Promise<Buffer> {
  const stream = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  const chunks: Buffer[] = await stream.toArray()
  return Buffer.concat(chunks)
}

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '0': '\0', b: '\b', f: '\f' }

/**
 * The client escapes parameters as TSV does, and quotes texts in lists. The connection does this itself, so it is
 * undone here.
 */
function parameterOf(value: string): string | string[] {
  return value.startsWith("['")
    ? [...value.matchAll(/'((?:\\.|[^'\\])*)'/gs)].map(([, text = '']) => fromTsv(text))
    : fromTsv(value)
}

function fromTsv(value: string): string {
  return value.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)
}
