/** `plumbline verify`: looks for damage in all stored data, of a running service or in a data folder. */
import { asText, download } from './download.ts'
import { runMaintenance } from './maintenance.ts'
import { type CommandParts, FoundWrong, type Session, type Terminal } from './session.ts'

interface VerifyOptions {
  readonly dataDir?: string
  readonly repair?: boolean
}

/** The response of the service to `POST /verify`. */
interface Report {
  readonly isIntact: boolean
  readonly findings: readonly {
    readonly store: string
    readonly where: string
    readonly problem: string
    readonly lost?: number
  }[]
  readonly checked: {
    readonly controlPlane: string
    readonly traceStoreParts: number
    readonly spoolRecords: number
    readonly files: { readonly compared: number; readonly sizedOnly: number }
  }
}

export function addVerify({ program, action, offline }: CommandParts): void {
  const ofService = action(verifyService)
  const ofFolder = offline(verifyFolder)
  program
    .command('verify')
    .description('Reads all stored data, and reports what is damaged on disk.')
    .option('--data-dir <folder>', 'a data folder that no service is using, instead of a running service')
    .option('--repair', 'set damaged parts of the trace store aside, so that everything else can be read')
    .addHelpText(
      'after',
      '\nExit status 1 if something is damaged. A running service needs a key of the first workspace with the scope operate.\nWith --data-dir, DATABASE_URL and CLICKHOUSE_URL apply as for the service. See docs/operations.md.',
    )
    .action((options: VerifyOptions, ...rest: unknown[]) =>
      (options.dataDir === undefined ? ofService : ofFolder)(options, ...rest),
    )
}

async function verifyService(session: Session, { repair = false }: VerifyOptions): Promise<void> {
  let json = ''
  for await (const piece of asText(download(session, '/verify', { repair }, 'POST'))) json += piece
  tell(session, json)
}

async function verifyFolder(terminal: Terminal, { dataDir, repair }: VerifyOptions): Promise<void> {
  tell(
    terminal,
    await runMaintenance(terminal, ['verify', ...(repair === true ? ['--repair'] : [])], dataDir),
  )
}

function tell(terminal: Terminal, json: string): void {
  // Safe: only the service of this release writes it.
  const report = JSON.parse(json) as Report
  const { controlPlane, traceStoreParts, spoolRecords, files } = report.checked
  const lines = report.findings.map(
    ({ store, where, problem, lost }) =>
      `DAMAGED  ${store}: ${where}${lost === undefined ? '' : ` (${lost} lost)`}\n         ${problem}`,
  )
  const summary = `Read: the control plane (${controlPlane}), ${traceStoreParts} parts of the trace store, ${spoolRecords} records of the spool, ${files.compared} files by hash and ${files.sizedOnly} by size.`
  terminal.print(report, [...lines, summary, ...(report.isIntact ? ['Nothing is damaged.'] : [])].join('\n'))
  if (!report.isIntact) throw new FoundWrong()
}
