/** Reads what npm and the lock file report about the packages. */

export type RegistryAnswer =
  | { readonly type: 'ran'; readonly summary: string; readonly problems: readonly string[] }
  /** The registry did not respond. */
  | { readonly type: 'away'; readonly problem: string }

/** Severities that fail the check; lower ones appear only in the summary. */
const failing = ['high', 'critical']

interface AdvisoryReport {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>
  readonly metadata?: { readonly dependencies?: { readonly total?: number } }
  readonly message?: string
  readonly error?: { readonly summary?: string; readonly detail?: string }
}

/** Reads the output of `npm audit --json`. */
export function readAdvisories(output: string): RegistryAnswer {
  const report = parse<AdvisoryReport>(output)
  if (report?.vulnerabilities === undefined) return away(report)
  const advisories = Object.entries(report.vulnerabilities)
  const problems = advisories
    .filter(([, { severity }]) => failing.includes(severity))
    .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`)
  const count = report.metadata?.dependencies?.total ?? 0
  return { type: 'ran', summary: `${advisories.length} in ${count} packages`, problems }
}

interface SignatureReport {
  readonly invalid?: readonly { readonly name: string; readonly version: string }[]
  readonly missing?: readonly { readonly name: string; readonly version: string }[]
  readonly error?: { readonly summary?: string; readonly detail?: string }
}

/** Reads the output of `npm audit signatures --json`. */
export function readSignatures(output: string): RegistryAnswer {
  const report = parse<SignatureReport>(output)
  if (report?.invalid === undefined || report.missing === undefined) return away(report)
  const { invalid, missing } = report
  return {
    type: 'ran',
    summary: `${invalid.length} invalid, ${missing.length} missing`,
    problems: [
      ...invalid.map(({ name, version }) => `${name}@${version}: its signature is invalid`),
      ...missing.map(({ name, version }) => `${name}@${version}: it has no signature`),
    ],
  }
}

interface LockFile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly resolved?: string
        readonly integrity?: string
        readonly link?: boolean
        readonly hasInstallScript?: boolean
        readonly dev?: boolean
        readonly optional?: boolean
      }
    >
  >
}

const registry = 'https://registry.npmjs.org/'

/** Packages from another registry, without a strong hash, or with an unapproved install script. */
export function problemsOfLock(
  { packages }: LockFile,
  { allowScripts = {} }: { readonly allowScripts?: Readonly<Record<string, boolean>> },
): RegistryAnswer {
  const external = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  )
  const nameOf = (path: string): string =>
    path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const problems = external.flatMap(([path, { resolved, integrity, hasInstallScript, optional }]) => {
    const name = nameOf(path)
    return [
      ...problemsOfAddress(resolved).map((problem) => `${path}: ${problem}`),
      ...(integrity?.startsWith('sha512-') ? [] : [`${path}: it has no SHA-512`]),
      // npm runs only allowed install scripts. If a required one were not allowed, the tests would fail.
      ...(hasInstallScript && optional !== true && allowScripts[name] === undefined && !ignored.has(name)
        ? [`${path}: it has an install script, and package.json does not say whether it may run`]
        : []),
    ]
  })
  return { type: 'ran', summary: `${external.length} packages, from the registry, by SHA-512`, problems }
}

/** If npm is configured with another registry, it replaces the one in the URL. */
const problemsOfAddress = (resolved: string | undefined): string[] => {
  if (resolved === undefined) return ['it has no URL, so npm would look up all its versions first']
  return resolved.startsWith(registry) ? [] : [`it is not from ${registry}`]
}

/** Packages whose install scripts are not needed and do not run. */
const ignored = new Set(['esbuild', 'protobufjs'])

function parse<Report>(output: string): Report | undefined {
  try {
    return JSON.parse(output) as Report
  } catch {
    return undefined
  }
}

const away = (
  report:
    | { readonly message?: string; readonly error?: { readonly summary?: string; readonly detail?: string } }
    | undefined,
): RegistryAnswer => ({
  type: 'away',
  problem: report?.message ?? report?.error?.summary ?? 'The registry did not answer.',
})
