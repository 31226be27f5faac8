/** The only code that reads the environment: each setting once, with its default and its sentence. */
import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { allOperations, roles } from '@plumbline/contract'
import { addressListForm, readAddressList } from './network/address-list.ts'
import { type HostList, hostListForm, readHostList } from './network/host-policy.ts'

interface Setting<Value> {
  /** The value if the variable is absent or empty. */
  readonly fallback: string
  /** One sentence for docs/settings.md. */
  readonly sentence: string
  /** Returns the value, or throws a sentence that says what would be valid. */
  readonly read: (text: string) => Value
  /** Whether the value must never be printed. */
  readonly isSecret?: boolean
}

const setting = <Value>(definition: Setting<Value>): Setting<Value> => definition

const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    // `Number` turns spaces into 0. Helm writes large numbers as 2.147483648e+09.
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return value
  }

const addressOf =
  (...protocols: readonly string[]) =>
  (text: string): string | undefined => {
    if (text === '') return undefined
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      throw new Error(
        `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      )
    }
    // A PostgreSQL URL without a host means a local socket.
    if (new URL(text).host === '' && !text.startsWith('postgres'))
      throw new Error('must be a URL with a host')
    return text.replace(/\/+$/, '')
  }

/** One or more comma-separated addresses. */
const addressesOf =
  (...protocols: readonly string[]) =>
  (text: string): string | undefined => {
    const addresses = text.split(',').map((address) => addressOf(...protocols)(address.trim()))
    if (addresses.length > 1 && addresses.includes(undefined))
      throw new Error('must not have an empty address')
    if (new Set(addresses).size < addresses.length) throw new Error('must not have an address twice')
    return addresses[0] === undefined ? undefined : addresses.join(',')
  }

/** The path must not be one of our endpoints, since a proxy may or may not strip it. */
function publicAddress(text: string): string | undefined {
  const address = addressOf('http:', 'https:')(text)
  if (address === undefined) return undefined
  const { username, password, pathname, search, hash } = new URL(address)
  if (username !== '' || password !== '') throw new Error('must not have a user name or password')
  if (search !== '' || hash !== '' || !/^(?:\/[\w.~-]+)*\/?$/.test(pathname))
    throw new Error('must be a host, with a path of letters and digits at most')
  const first = pathname.split('/')[1] ?? ''
  if (ownPaths.has(first)) throw new Error(`must have a path that does not begin with /${first}`)
  return address
}

const ownPaths = new Set([
  ...allOperations.map(({ path }) => path.split('/')[1]),
  ...['api', 'app', 'auth', 'backup', 'docs', 'help', 'mcp', 'packages', 'v1', 'verify'],
])

const hostList = (text: string): HostList | undefined => {
  if (text === '') return undefined
  const list = readHostList(text)
  if (list === undefined) throw new Error(`must be ${hostListForm}`)
  return list
}

const textOrNone = (text: string): string | undefined => (text === '' ? undefined : text)

function fileOrAddress(text: string): string | undefined {
  if (text === '' || /^https?:/.test(text)) return textOrNone(text)
  try {
    readFileSync(text)
  } catch (error) {
    throw new Error(`must be an address or a file that can be read (${text}): ${codeOf(error)}`)
  }
  return text
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** An email address, with or without a display name. */
const senderForm = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

/** The name becomes part of SQL statements. */
const clusterName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

export const settings = {
  HOST: setting({ fallback: '0.0.0.0', sentence: 'Address to listen on.', read: (text) => text }),
  PORT: setting({
    fallback: '4747',
    sentence: 'Port of the API; 0 picks a free one.',
    read: wholeNumber(0, 65_535),
  }),
  OTLP_GRPC_PORT: setting({
    fallback: '4317',
    sentence: 'Port of OpenTelemetry over gRPC; 0 picks a free one.',
    read: wholeNumber(0, 65_535),
  }),
  PLUMBLINE_DATA_DIR: setting({
    fallback: './data',
    sentence: 'Folder for all stored data: the control plane, the traces, the spool and the files.',
    read: (text) => (isAbsolute(text) ? text : resolve(text)),
  }),
  PLUMBLINE_API_KEY: setting({
    fallback: '',
    sentence:
      'API key with all scopes, including `operate`, for the default workspace; when empty, the first start creates and prints a key without `operate`.',
    read: (text) => {
      if (text !== '' && !/^[\x21-\x7e]{1,256}$/.test(text)) {
        throw new Error('must be at most 256 visible ASCII characters without a space')
      }
      return textOrNone(text)
    },
    isSecret: true,
  }),
  PLUMBLINE_PUBLIC_URL: setting({
    fallback: '',
    sentence:
      'URL at which clients reach the service, used in links, including the path if a proxy serves it below one; when empty, links use the address of the request if it is local or set by a trusted proxy, and are paths otherwise.',
    read: publicAddress,
  }),
  PLUMBLINE_TRUSTED_PROXIES: setting({
    fallback: '',
    sentence: `Proxies whose X-Forwarded-For, -Proto and -Host count: ${addressListForm}; none when empty.`,
    read: (text) => {
      if (text === '') return undefined
      const list = readAddressList(text)
      if (list === undefined) throw new Error(`must be ${addressListForm}`)
      return list
    },
  }),
  DATABASE_URL: setting({
    fallback: '',
    sentence: 'PostgreSQL for the control plane; SQLite in the data folder when empty.',
    read: addressOf('postgres:', 'postgresql:'),
    isSecret: true,
  }),
  CLICKHOUSE_URL: setting({
    fallback: '',
    sentence:
      'ClickHouse for the traces; several addresses, separated by commas, are shards, each with the traces of some workspaces; chDB in the data folder when empty.',
    read: addressesOf('http:', 'https:'),
    isSecret: true,
  }),
  CLICKHOUSE_CLUSTER: setting({
    fallback: '',
    sentence:
      'Name of a one-shard cluster in the ClickHouse configuration: tables are replicated on all its servers, and an insert waits for most of them; a single server when empty.',
    read: (text) => {
      if (text === '') return undefined
      if (!clusterName.test(text)) throw new Error('must be letters, digits and underscores')
      return text
    },
  }),
  PLUMBLINE_SPOOL_BYTES_MAX: setting({
    fallback: String(2 * 1024 ** 3),
    sentence:
      'Quota, in bytes, for records on their way to the trace store; above it, recording is rejected with 503.',
    read: wholeNumber(64 * 1024 ** 2, Number.MAX_SAFE_INTEGER),
  }),
  PLUMBLINE_PRICES: setting({
    fallback: '',
    sentence:
      'File or URL (https) of a price list newer than the one in the release; it is read once a day, and by "plumbline prices update".',
    read: fileOrAddress,
  }),
  PLUMBLINE_RATE_LIMIT_PER_MINUTE: setting({
    fallback: '600000',
    sentence: 'Requests that one API key may make per minute; 0 means no limit.',
    read: wholeNumber(0, 1_000_000_000),
  }),
  PLUMBLINE_CONNECTIONS_MAX: setting({
    fallback: '10000',
    sentence:
      'Maximum number of open HTTP connections, and of OTLP/gRPC connections; further ones are closed immediately.',
    read: wholeNumber(1, 1_000_000),
  }),
  PLUMBLINE_FILE_BYTES_MAX: setting({
    fallback: String(10 * 1024 ** 2),
    sentence: 'Maximum size of a dataset file or image, in bytes.',
    read: wholeNumber(1, 5 * 1024 ** 3),
  }),
  PLUMBLINE_IMPORT_BYTES_MAX: setting({
    fallback: String(1024 ** 3),
    sentence: 'Maximum size of an imported bundle, in bytes after decompression.',
    read: wholeNumber(1, 1024 ** 4),
  }),
  PLUMBLINE_SECRET_KEY: setting({
    fallback: '',
    sentence:
      'Root secret of 32 or more characters, the same on all nodes; the keys that encrypt provider keys and channel addresses and sign session cookies are derived from it. When empty, the file secret.key in the data folder is used.',
    read: (text) => {
      if (text !== '' && text.length < 32) throw new Error('must have 32 characters or more')
      return textOrNone(text)
    },
    isSecret: true,
  }),
  PLUMBLINE_MODEL_HOSTS: setting({
    fallback: '',
    sentence: `Your own hosts that LLM connections may reach, also without https: ${hostListForm}; only the public internet when empty.`,
    read: hostList,
  }),
  PLUMBLINE_WEBHOOK_HOSTS: setting({
    fallback: '',
    sentence: `Your own hosts that alert channels may reach, also without https: ${hostListForm}; only the public internet when empty.`,
    read: hostList,
  }),
  PLUMBLINE_ENDPOINT_HOSTS: setting({
    fallback: '',
    sentence: `Your own hosts that experiment endpoints may reach, also without https: ${hostListForm}; only the public internet when empty.`,
    read: hostList,
  }),
  PLUMBLINE_PRIVATE_MODEL_URLS: setting({
    fallback: 'false',
    sentence:
      'Deprecated, use PLUMBLINE_MODEL_HOSTS: whether LLM connections may reach any private network address, and use plain http.',
    read: (text) => {
      if (text !== 'true' && text !== 'false') throw new Error('must be true or false')
      return text === 'true'
    },
  }),
  PLUMBLINE_PRIVATE_CHANNEL_URLS: setting({
    fallback: 'false',
    sentence:
      'Deprecated, use PLUMBLINE_WEBHOOK_HOSTS: whether alert channels may reach any private network address, and use plain http.',
    read: (text) => {
      if (text !== 'true' && text !== 'false') throw new Error('must be true or false')
      return text === 'true'
    },
  }),
  PLUMBLINE_WORKSPACE_CREATION: setting({
    fallback: 'owners',
    sentence:
      'Who may create workspaces: owners (of at least one workspace) or everyone (every member of a workspace).',
    read: (text) => {
      if (text !== 'owners' && text !== 'everyone') throw new Error('must be owners or everyone')
      return text
    },
  }),
  PLUMBLINE_SESSION_IDLE_DAYS: setting({
    fallback: '7',
    sentence: 'Days without activity after which a session ends; every session ends after 30 days.',
    read: wholeNumber(1, 30),
  }),
  PLUMBLINE_RETENTION_TIME: setting({
    fallback: '03:00',
    sentence:
      "Time of day, in the server's time zone, at which expired data is deleted and deleted data is removed from the disk.",
    read: (text) => {
      const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
      if (hours === undefined) throw new Error('must be a time of day such as 03:00')
      return { hours: Number(hours), minutes: Number(minutes) }
    },
  }),
  SMTP_URL: setting({
    fallback: '',
    sentence:
      'Mail server for alerts, invitations and password links, such as smtps://user:password@smtp.example.com; invitations and password links are mailed only if PLUMBLINE_PUBLIC_URL is set too. When empty, there are no e-mail channels, and admins send the links themselves.',
    read: addressOf('smtp:', 'smtps:'),
    isSecret: true,
  }),
  MAIL_FROM: setting({
    fallback: '',
    sentence:
      'Sender of e-mails, such as Plumbline <alerts@example.com>; required with SMTP_URL, and allowed only with it.',
    read: (text) => {
      if (text !== '' && !senderForm.test(text))
        throw new Error('must be an address, such as alerts@example.com or Plumbline <alerts@example.com>')
      return textOrNone(text)
    },
  }),
  S3_BUCKET_URL: setting({
    fallback: '',
    sentence:
      'S3-compatible bucket for files, such as https://s3.eu-west-1.amazonaws.com/bucket; when empty, the data folder, or PostgreSQL if DATABASE_URL and CLICKHOUSE_URL are both set.',
    read: addressOf('http:', 'https:'),
  }),
  S3_REGION: setting({ fallback: 'auto', sentence: 'Region of the bucket.', read: (text) => text }),
  S3_ACCESS_KEY_ID: setting({ fallback: '', sentence: 'Access key of the bucket.', read: textOrNone }),
  S3_SECRET_ACCESS_KEY: setting({
    fallback: '',
    sentence: 'Secret key of the bucket.',
    read: textOrNone,
    isSecret: true,
  }),
  OIDC_ISSUER: setting({
    fallback: '',
    sentence: 'OpenID Connect issuer for sign-in, such as https://login.example.com.',
    read: (text) => {
      const issuer = addressOf('http:', 'https:')(text)
      const [, tail] = /(\/\.well-known\/.*)$/.exec(issuer ?? '') ?? []
      if (tail !== undefined) throw new Error(`must be the issuer, without ${tail}`)
      return issuer
    },
  }),
  OIDC_CLIENT_ID: setting({
    fallback: '',
    sentence: 'Client id of this service at the provider.',
    read: textOrNone,
  }),
  OIDC_CLIENT_SECRET: setting({
    fallback: '',
    sentence: 'Client secret of this service at the provider.',
    read: textOrNone,
    isSecret: true,
  }),
  OIDC_NAME: setting({
    fallback: 'single sign-on',
    sentence: 'Name of the provider in the web app.',
    read: (text) => text,
  }),
  OIDC_ROLE: setting({
    fallback: '',
    sentence: `Role in the first workspace for people who sign in with the provider for the first time: ${roles.join(', ')}; when empty, they need an invitation.`,
    read: (text) => {
      const role = roles.find((candidate) => candidate === text)
      if (text !== '' && role === undefined) throw new Error(`must be one of ${roles.join(', ')}`)
      return role
    },
  }),
  LOG_LEVEL: setting({
    fallback: 'info',
    sentence: `Lowest severity of log lines to print: ${logLevels.join(', ')}.`,
    read: (text) => {
      const level = logLevels.find((candidate) => candidate === text)
      if (level === undefined) throw new Error(`must be one of ${logLevels.join(', ')}`)
      return level
    },
  }),
} as const

type Settings = typeof settings

/** Whether several nodes may run: everything acknowledged then has to be where all of them can read it. */
export const haveSharedStores = <Stores extends Pick<Config, 'DATABASE_URL' | 'CLICKHOUSE_URL'>>(
  config: Stores,
): config is Stores & { readonly DATABASE_URL: string; readonly CLICKHOUSE_URL: string } =>
  config.DATABASE_URL !== undefined && config.CLICKHOUSE_URL !== undefined

/** All settings by name, read and checked. */
export type Config = { readonly [Name in keyof Settings]: ReturnType<Settings[Name]['read']> }

/** An invalid setting; the message names the variable. */
export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration'
}

/** The secret itself, or the contents of the file that `NAME_FILE` names, as container platforms mount them. */
function secretText(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const path = environment[`${name}_FILE`]
  if (path === undefined || path === '') return environment[name]
  if (environment[name]) throw new Error(`and ${name}_FILE must not both be set`)
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new Error(`cannot be read from ${name}_FILE (${path}): ${codeOf(error)}`)
  }
  // An empty file is never intended: without DATABASE_URL, for example, the service would start from scratch in the data
  // directory.
  if (text.trim() === '') throw new Error(`cannot be read from ${name}_FILE (${path}): it is empty`)
  return text
}

const isSecret = (name: string): boolean =>
  Object.entries<Setting<unknown>>(settings).some(
    ([each, definition]) => each === name && definition.isSecret === true,
  )

const isSet = (name: string, environment: Readonly<Record<string, string | undefined>>): boolean =>
  Boolean(environment[name]) || (isSecret(name) && Boolean(environment[`${name}_FILE`]))

/**
 * Settings that are not secrets although their `_FILE` variable is set. For short names such as PORT, that variable may
 * belong to other software.
 */
const unreadFiles = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(settings)
    .filter((name) => name.includes('_') && !isSecret(name))
    .filter((name) => environment[`${name}_FILE`])

/** Reads all settings; throws `BadConfiguration` naming every variable that is wrong. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = []
  const read = Object.entries<Setting<unknown>>(settings).map(([name, { fallback, read, isSecret }]) => {
    try {
      const text = isSecret === true ? secretText(name, environment) : environment[name]
      return [name, read(text === undefined || text === '' ? fallback : text)]
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}.`)
      return [name, undefined]
    }
  })
  // Safe: there is one entry for each setting, and a config with undefined entries for invalid values is never returned.
  const config = Object.fromEntries(read) as Config
  const isBad = (name: string): boolean => problems.some((problem) => problem.startsWith(`${name} `))
  for (const [name, ...others] of needs) {
    if (!isSet(name, environment)) continue
    for (const other of others)
      if (config[other] === undefined && !isBad(other))
        problems.push(`${other} is needed when ${name} is set.`)
  }
  for (const name of unreadFiles(environment))
    problems.push(`${name}_FILE is not supported, since only secrets are read from files: set ${name}.`)
  if (problems.length > 0) throw new BadConfiguration(problems.join('\n'))
  return config
}

/**
 * Each setting with the others that it needs to have any effect. Without this check the service would start without
 * something that the operator has configured.
 */
const needs = [
  ['CLICKHOUSE_CLUSTER', 'CLICKHOUSE_URL'],
  ['S3_BUCKET_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['S3_REGION', 'S3_BUCKET_URL'],
  ['S3_ACCESS_KEY_ID', 'S3_BUCKET_URL'],
  ['S3_SECRET_ACCESS_KEY', 'S3_BUCKET_URL'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['MAIL_FROM', 'SMTP_URL'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
  ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
  ['OIDC_NAME', 'OIDC_ISSUER'],
  ['OIDC_ROLE', 'OIDC_ISSUER'],
] as const
