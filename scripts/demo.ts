/** Fills a workspace with believable data, through the service's own API: `npm run demo -- --help`. */
import { BadConfiguration } from '../server/src/config.ts'
import { connect } from './demo/client.ts'
import { fillWorkspace } from './demo/fill-workspace.ts'
import { BadOption, type DemoOptions, help, readOptions } from './demo/options.ts'
import { describeLook, describeMade, describeTotals, showProgress } from './demo/report.ts'
import { openServer, runningServer } from './demo/target.ts'

async function main({ server, ...options }: DemoOptions): Promise<void> {
  const target = server === undefined ? await openServer(process.env) : runningServer(server)
  try {
    const client = connect(target)
    console.log(`Filling ${target.dataFolder ?? target.url} (seed ${options.seed}).`)
    let stop = (): void => {}
    const filled = await fillWorkspace({
      ...options,
      client,
      now: new Date(),
      onTraces: (toRecord) => {
        const bar = showProgress(toRecord)
        stop = bar.stop
        return bar.step
      },
    }).finally(() => stop())
    await target.settle()
    console.log(`\n${describeMade(filled)}\n\n${await describeTotals(client)}\n\n${describeLook(target)}`)
  } finally {
    await target.close()
  }
}

try {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') process.stdout.write(help)
  else await main(options)
} catch (error) {
  const isTold = error instanceof BadOption || error instanceof BadConfiguration
  const text = isTold
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error)
  process.stderr.write(`The demo cannot go on.\n${text}\n`)
  process.exitCode = 1
}
