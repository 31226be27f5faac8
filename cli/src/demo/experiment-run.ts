/**
 * An experiment run that calls an endpoint of this process for each question of the help centre. There is none if the
 * service may not call addresses in its own network.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RequestFailed } from '@plumbline/sdk'
import { followRun, WaitedTooLong } from '@plumbline/sdk/gate'
import type { Client } from './client.ts'
import type { SetupCounts } from './define.ts'

const name = 'Help centre: new search, called as an endpoint'
const datasetSlug = 'docs-questions'
const runTimeoutMs = 20_000

const questionLengthMax = 50

/** The response of the endpoint: a sentence from the words of the question, mostly with a source. */
function respondTo(question: string): { readonly status: number; readonly body: object } {
  if (question.length > questionLengthMax)
    return { status: 422, body: { error: `A question has at most ${questionLengthMax} characters.` } }
  const words = question.split(/\s+/).slice(0, 6).join(' ')
  const source = question.length % 4 === 0 ? '' : ` [kb-${100 + (question.length % 40)}]`
  return {
    status: 200,
    body: { output: `What helps with "${words}" has its steps in one article.${source}` },
  }
}

/** Starts the run unless there is one. */
export async function runExperiment(client: Client, setupCounts: SetupCounts): Promise<void> {
  const { experiments } = await client.experiments.list({ limit: 1000 })
  if (experiments.some((experiment) => experiment.name === name))
    return void setupCounts.set('runs', { made: 0, alreadyThere: 1 })
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    // Safe: the service sends an object with the variables of the row.
    const { variables } = JSON.parse(Buffer.concat(chunks).toString()) as {
      variables: Record<string, unknown>
    }
    const { status, body } = respondTo(String(variables.question ?? ''))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { run } = await client.experimentRuns.create({
      datasetSlug,
      target: { type: 'endpoint', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/search` },
      featureSlug: 'docs-search',
      evaluatorSlugs: ['cites-sources'],
      concurrency: 4,
      name,
    })
    await followRun(client, run.id, { timeoutMs: runTimeoutMs })
    setupCounts.set('runs', { made: 1, alreadyThere: 0 })
  } catch (error) {
    // The demo continues without a run if the service cannot or may not (`PLUMBLINE_ENDPOINT_HOSTS`) reach this process.
    if (!(error instanceof WaitedTooLong) && !(error instanceof RequestFailed && error.status === 400))
      throw error
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
