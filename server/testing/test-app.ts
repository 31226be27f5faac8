/** Builders for endpoint tests: the whole service in process, on real engines, and a workspace for each test. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import {
  scopes as allScopes,
  inputTravelsInQuery,
  type Operation,
  type OutputOf,
  operations,
  pathFields,
  type Role,
  type Scope,
} from '@plumbline/contract'
import { type ControlStore, type ControlStoreLocation, defaultWorkspaceId } from '@plumbline/storage/control'
import { addMigratedFile, engines } from '@plumbline/storage/control/testing'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { makeTraceFolder } from '@plumbline/storage/traces/testing'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { hashSecret, makeSecret, shownPrefix } from '../src/accounts/keys/secret.ts'
import { hashToken } from '../src/accounts/people/one-time-link.ts'
import { sessionCookieName, signSession } from '../src/accounts/people/session-cookie.ts'
import { type App, createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { PasswordHash } from '../src/process/foundation.ts'
import { connectToNodes, type RemoteNodes } from './remote-test-app.ts'

/** The response of the service. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly bytes: Buffer
}

interface CallOptions {
  readonly headers?: Record<string, string>
  /** Replaces the workspace's own key; null sends none. */
  readonly key?: string | null
  /** Replaces the input's JSON as the body. */
  readonly payload?: string | Buffer
}

export interface TestKey {
  readonly id: string
  readonly secret: string
}

/** A signed-in user. Spread it into the options of a call to make the call as this user. */
export interface TestPerson {
  readonly id: string
  readonly email: string
  readonly key: null
  /** The cookie, and the headers that a browser sends for a page of ours. */
  readonly headers: Record<string, string>
}

/** A workspace of one test, with a key that has all scopes. */
export interface TestWorkspace {
  readonly id: string
  readonly key: TestKey
  /** Calls an operation; the input's fields are placed as the contract defines. */
  call(operation: Operation, input?: object, options?: CallOptions): Promise<Answer>
  /** Calls an operation that must succeed, and returns its output. */
  ok<Op extends Operation>(operation: Op, input?: object, options?: CallOptions): Promise<OutputOf<Op>>
  /** Calls an operation that must be rejected with a status, and returns the message. */
  refused(operation: Operation, input: object, status: number, options?: CallOptions): Promise<string>
  /** Creates a signed-in user with a role here, or in no workspace if there is no role. */
  signIn(role?: Role): Promise<TestPerson>
  /** Creates a signed-in owner of the first workspace who is also a member of this one. */
  signInOperator(): Promise<TestPerson>
  /** Makes a user a member. */
  join(person: Pick<TestPerson, 'id'>, role: Role): Promise<void>
  /** Creates another key. */
  newKey(scopes: readonly Scope[], fields?: { readonly expiresAt?: Date }): Promise<TestKey>
}

export interface TestApp {
  readonly app: App
  readonly dataFolder: string
  /** The control store's database. */
  readonly controlLocation: ControlStoreLocation
  /** The folder of the trace store, which all services of the process share. */
  readonly traceFolder: string
  newWorkspace(): Promise<TestWorkspace>
  /** Sends any request. */
  send(request: InjectOptions): Promise<Answer>
  /** Listens on a free port, once for all callers; resolves to the base URL. */
  listen(): Promise<string>
  /** Like `listen`, for OpenTelemetry over gRPC. */
  listenGrpc(): Promise<string>
  close(): Promise<void>
}

/** Passwords of tests need no protection, and a real password hash is slow on purpose. */
export const cheapPasswords: PasswordHash = {
  hash: async (password) => `cheap ${hashSecret(password)}`,
  verify: async ({ hash, password }) => hash === `cheap ${hashSecret(password)}`,
}

interface TestParts {
  readonly settings?: Record<string, string>
  readonly now?: () => Date
  readonly passwordHash?: PasswordHash
  /** The folder of the built web app. */
  readonly pageFolder?: string
}

let shared: Promise<TestApp> | undefined
let sharedTraces: Promise<string> | undefined

/** The embedded engine allows one folder per process, so the services in it share one, each with its own workspaces. */
function sharedTraceFolder(): Promise<string> {
  sharedTraces ??= makeTraceFolder().then((folder) => {
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  })
  return sharedTraces
}

/**
 * Starts the service on a folder that is removed with it. The control plane is SQLite, or PostgreSQL if the test command
 * sets it. Without parts of its own, a test shares the service with the other test files of its process; with parts it has
 * its own service, on the trace store that all services of the process share.
 */
export function startTestApp(parts?: TestParts): Promise<TestApp> {
  if (parts !== undefined) return startApp(parts)
  shared ??= startShared()
  return shared
}

/** The service of this process, or the nodes of a test with several nodes. */
function startShared(): Promise<TestApp> {
  const nodes = hostEnvironment.PLUMBLINE_TEST_NODES
  // Safe: our own test wrote it.
  return nodes === undefined ? startApp({}) : startRemote(JSON.parse(nodes) as RemoteNodes)
}

/** Uses nodes that are started and stopped elsewhere. */
async function startRemote(nodes: RemoteNodes): Promise<TestApp> {
  const { app, control, sessionSecret, send, close } = await connectToNodes(nodes)
  after(close)
  const newWorkspace = workspaceMaker({
    ...{ control, sessionSecret, send },
    describeAnswer: ({ text }) => text.slice(0, 500),
    onAnswer: () => {},
  })
  const absent = (): never => {
    throw new Error('Several nodes have no folder and no listener in the process of a test.')
  }
  return {
    ...{ app, newWorkspace, send, close },
    controlLocation: { url: nodes.databaseUrl },
    listen: async () => nodes.url,
    listenGrpc: absent,
    get dataFolder() {
      return absent()
    },
    get traceFolder() {
      return absent()
    },
  }
}

async function startApp({ settings = {}, now, passwordHash, pageFolder }: TestParts): Promise<TestApp> {
  // Registered before the first await, since a service that starts may resolve during the suite of another one.
  after(() => close?.())
  let close: TestApp['close'] | undefined
  const dataFolder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  const traceFolder = await sharedTraceFolder()
  const errorLines: string[] = []
  /** The response of the service, with its log lines if the error is its own. */
  const describeAnswer = ({ status, headers, text }: Answer): string => {
    const requestId = headers['x-request-id']
    const logged = status === 500 && requestId !== undefined
    const lines = logged ? errorLines.filter((line) => line.includes(requestId)) : []
    return [text.slice(0, 500), ...lines].join('\n')
  }
  const engine = engines.find(({ name }) => name === hostEnvironment.PLUMBLINE_TEST_CONTROL)
  const place = engine?.name === 'PostgreSQL' ? await engine.migratedPlace() : undefined
  const inPlace = place !== undefined && 'url' in place.location ? { DATABASE_URL: place.location.url } : {}
  const config = readConfig({ ...inPlace, PLUMBLINE_RATE_LIMIT_PER_MINUTE: '0', ...settings })
  if (config.DATABASE_URL === undefined) await addMigratedFile(join(dataFolder, 'control.db'))
  const app = await createApp({
    config,
    dataFolder,
    traceFolder,
    logger: pino({ level: 'error' }, { write: (line) => void errorLines.push(line) }),
    ...(now === undefined ? {} : { now }),
    ...(passwordHash === undefined ? {} : { passwordHash }),
    ...(pageFolder === undefined ? {} : { pageFolder }),
  })
  const usedNames = new Set<string>()
  // Requests are injected: without a socket, nothing else keeps the process alive while a worker works.
  const alive = setInterval(() => {}, 60_000)

  const send = async (request: InjectOptions): Promise<Answer> => {
    const { statusCode, headers, payload, rawPayload } = await app.server.inject(request)
    // Safe: no route sends a header twice.
    return { status: statusCode, headers: headers as Answer['headers'], text: payload, bytes: rawPayload }
  }

  let http: Promise<string> | undefined
  const listen = () => (http ??= app.server.listen({ host: '127.0.0.1', port: 0 }))
  let grpc: Promise<string> | undefined
  const listenGrpc = () =>
    (grpc ??= app.listenGrpc('127.0.0.1', 0).then((port) => `http://127.0.0.1:${port}`))

  let isClosed = false
  close = async (): Promise<void> => {
    if (isClosed) return
    isClosed = true
    await app.close()
    await place?.remove()
    rmSync(dataFolder, { recursive: true, force: true })
    const report = hostEnvironment.PLUMBLINE_TEST_SEEN
    if (report !== undefined) appendFileSync(report, [...usedNames, ''].join('\n'))
    clearInterval(alive)
  }

  const newWorkspace = workspaceMaker({
    ...{ control: app.control, sessionSecret: app.sessionSecret, send, describeAnswer },
    onAnswer: (operation, { status }) => usedNames.add(`${operation.name} ${status}`),
  })
  const controlLocation = place?.location ?? { file: join(dataFolder, 'control.db') }
  return {
    app,
    dataFolder,
    controlLocation,
    traceFolder,
    newWorkspace,
    send,
    listen,
    listenGrpc,
    close,
  }
}

interface WorkspaceMakerDeps extends Pick<TestApp, 'send'> {
  readonly control: ControlStore
  readonly sessionSecret: string
  readonly describeAnswer: (answer: Answer) => string
  readonly onAnswer: (operation: Operation, answer: Answer) => void
}

function workspaceMaker({ control, sessionSecret, send, ...deps }: WorkspaceMakerDeps) {
  return async (): Promise<TestWorkspace> => {
    const { id } = await control.createWorkspace({ name: 'Test' })
    const newKey: TestWorkspace['newKey'] = async (scopes, fields = {}) => {
      const secret = makeSecret()
      const key = { name: 'Test', hash: hashSecret(secret), prefix: shownPrefix(secret), scopes, ...fields }
      const apiKey = await control.scopedTo({ workspaceId: id }).apiKeys.create(key, new Date())
      return { id: apiKey.id, secret }
    }
    const signIn: TestWorkspace['signIn'] = async (role) => {
      const { people } = control
      const time = new Date()
      const email = `${randomUUID()}@example.com`
      const person = await people.add({ name: role ?? 'Nobody', email, passwordHash: 'none' }, time)
      if (role !== undefined) await people.addMember({ workspaceId: id, personId: person.id, role }, time)
      const token = randomUUID()
      const times = { createdAt: time, updatedAt: time, expiresAt: new Date(time.getTime() + 3_600_000) }
      await people.rows.add('session', {
        id: randomUUID(),
        userId: person.id,
        token: hashToken(token),
        ...times,
      })
      const value = encodeURIComponent(signSession(token, sessionSecret))
      const cookie = `${sessionCookieName(false)}=${value}`
      return { id: person.id, email, key: null, headers: { cookie, 'sec-fetch-site': 'same-origin' } }
    }
    const join = async (workspaceId: string, personId: string, role: Role): Promise<void> =>
      control.people.addMember({ workspaceId, personId, role }, new Date())
    const key = await newKey(allScopes)
    const call: TestWorkspace['call'] = async (operation, input = {}, options = {}) => {
      const { payload, key: secret = key.secret } = options
      const answer = await send({
        ...requestOf(operation, input),
        ...(payload === undefined ? {} : { payload }),
        headers: {
          ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
      })
      deps.onAnswer(operation, answer)
      return answer
    }
    return {
      id,
      key,
      newKey,
      signIn,
      async signInOperator() {
        const person = await signIn('owner')
        await join(defaultWorkspaceId, person.id, 'owner')
        return person
      },
      join: (person, role) => join(id, person.id, role),
      call,
      async ok(operation, input, options) {
        const answer = await call(operation, input, options)
        assert.equal(answer.status, operation.success, `${operation.name}: ${deps.describeAnswer(answer)}`)
        return outputOf(operation, answer)
      },
      async refused(operation, input, status, options) {
        const answer = await call(operation, input, options)
        assert.equal(answer.status, status, `${operation.name}: ${deps.describeAnswer(answer)}`)
        return errorOf(answer)
      },
    }
  }
}

/** Options with which an operation may be called: as an operator if only users may call it, else with the workspace's key. */
export const admit = async (workspace: TestWorkspace, { scope }: Operation): Promise<Partial<TestPerson>> =>
  scope === null ? await workspace.signInOperator() : {}

/** The message of an error response, whose body must have the interface's form. */
export function errorOf({ headers, text }: Answer): string {
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  const { error } = parseJsonText(text) as { error: unknown }
  assert.ok(typeof error === 'string' && error !== '', text)
  return error
}

/** Safe: every test that reads the output verifies that it has the contract's form. */
const outputOf = <Op extends Operation>(operation: Op, { text }: Answer): OutputOf<Op> =>
  (operation.success === 204 ? undefined : parseJsonText(text)) as OutputOf<Op>

function requestOf({ method, path }: Operation, input: object): InjectOptions {
  const fields = new Map<string, unknown>(Object.entries(input))
  let url: string = path
  for (const name of pathFields(path)) {
    url = url.replace(`{${name}}`, encodeURIComponent(String(fields.get(name))))
    fields.delete(name)
  }
  if (!inputTravelsInQuery(method)) {
    return { method, url, payload: Object.fromEntries(fields) }
  }
  const query = new URLSearchParams(
    Object.fromEntries([...fields].map(([name, value]) => [name, String(value)])),
  )
  return { method, url: query.size === 0 ? url : `${url}?${query}` }
}

/** A feature, named `chat` by default. */
export const makeFeature = async (workspace: TestWorkspace, fields: object = {}) =>
  (await workspace.ok(operations.features.create, { slug: 'chat', name: 'Chat', ...fields })).feature

/** A prompt without versions, named `greeting` by default. */
export const makePrompt = async (workspace: TestWorkspace, fields: object = {}) =>
  (await workspace.ok(operations.prompts.create, { slug: 'greeting', name: 'Greeting', ...fields })).prompt

/** A version, by default of the prompt `greeting`. */
export const makeVersion = async (workspace: TestWorkspace, fields: object = {}) =>
  (await workspace.ok(operations.versions.create, { slug: 'greeting', text: 'Say hello.', ...fields }))
    .version

/** A model whose tokenizer and prices are public. */
export const knownModel = { provider: 'open-ai', client: 'open-ai', model: 'gpt-4o', version: 'latest' }

/** The prompt `greeting` with one version in production. */
export async function makeLivePrompt(workspace: TestWorkspace, version: object = {}, prompt: object = {}) {
  const { slug } = await makePrompt(workspace, prompt)
  return makeVersion(workspace, { slug, tags: ['production'], ...version })
}

/** A dataset with one text column, named `cases` by default. */
export const makeDataset = async (workspace: TestWorkspace, fields: object = {}) =>
  (
    await workspace.ok(operations.datasets.create, {
      slug: 'cases',
      name: 'Cases',
      columns: [{ name: 'question', type: 'text' }],
      ...fields,
    })
  ).dataset

/** An evaluator, named `polite` by default. */
export const makeEvaluator = async (workspace: TestWorkspace, fields: object = {}) =>
  (
    await workspace.ok(operations.evaluators.create, {
      slug: 'polite',
      name: 'Polite',
      kind: 'contains',
      config: { value: 'please' },
      ...fields,
    })
  ).evaluator

/** An experiment of the feature `chat`, which must exist. */
export const makeExperiment = (workspace: TestWorkspace, fields: object = {}) =>
  workspace.ok(operations.experiments.create, { featureSlug: 'chat', name: 'Shorter', ...fields })

/** Records a trace and reads it back at once. */
export async function recordTrace(workspace: TestWorkspace, fields: object = {}) {
  const answer = await workspace.ok(operations.monitor.trace, fields)
  const { trace } = await workspace.ok(operations.traces.get, { id: answer.trace.id })
  return { id: answer.trace.id, warning: answer.warning, trace }
}

/** Records a trace with one generation, and reads the generation back. */
export async function recordGeneration(workspace: TestWorkspace, fields: object = {}) {
  const recorded = await recordTrace(workspace, { logs: [{ id: 'g', type: 'generation', ...fields }] })
  return { ...recorded, log: recorded.trace.logs[0]! }
}

/** Records a single log, and reads the trace and its generation back. */
export async function recordLog(workspace: TestWorkspace, fields: object) {
  const answer = await workspace.ok(operations.monitor.log, fields)
  const { trace } = await workspace.ok(operations.traces.get, { id: answer.trace.id })
  return { answer, trace, log: trace.logs[0]! }
}
