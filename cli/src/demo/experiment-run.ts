/**
 * A run that the service has made itself: an endpoint of this process, called for each question of the help centre. A
 * service that may not call addresses of its own network has none.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RequestFailed } from '@plumbline/sdk'
import { followRun, WaitedTooLong } from '@plumbline/sdk/gate'
import type { Client } from './client.ts'
import type { Made } from './define.ts'

const name = 'Help centre: new search, called as an endpoint'
const datasetSlug = 'docs-questions'
const patienceMs = 20_000

const longest = 50

/** What the endpoint answers: an article that it finds by the words of the question, mostly with its source. */
function answerTo(question: string): { readonly status: number; readonly body: object } {
  if (question.length > longest)
    return { status: 422, body: { error: `A question has at most ${longest} characters.` } }
  const words = question.split(/\s+/).slice(0, 6).join(' ')
  const source = question.length % 4 === 0 ? '' : ` [kb-${100 + (question.length % 40)}]`
  return {
    status: 200,
    body: { output: `What helps with "${words}" has its steps in one article.${source}` },
  }
}

/** Runs it where none was run yet. */
export async function runExperiment(client: Client, made: Made): Promise<void> {
  const { experiments } = await client.experiments.list({ limit: 1000 })
  if (experiments.some((each) => each.name === name)) return void made.set('runs', { made: 0, kept: 1 })
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    // Safe: the service sends an object with the variables of the row.
    const { variables } = JSON.parse(Buffer.concat(chunks).toString()) as {
      variables: Record<string, unknown>
    }
    const { status, body } = answerTo(String(variables.question ?? ''))
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
    await followRun(client, run.id, { timeoutMs: patienceMs })
    made.set('runs', { made: 1, kept: 0 })
  } catch (error) {
    // A service that cannot, or may not (`PLUMBLINE_ENDPOINT_HOSTS`), reach this process goes on without.
    if (!(error instanceof WaitedTooLong) && !(error instanceof RequestFailed && error.status === 400))
      throw error
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
