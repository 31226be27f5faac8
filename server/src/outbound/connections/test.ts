import { invalid, type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import type { OpenModel } from './models.ts'
import { problemOf } from './problem.ts'

const timeoutMs = 20_000

export const makeTest =
  (openModel: OpenModel): Verb<typeof operations.connections.test> =>
  async ({ id, model: requestedModel }, { workspace }) => {
    const connection = await workspace.connections.find(id)
    if (connection === undefined) throw new ServiceError('connection_not_found', { id })
    const model = requestedModel ?? connection.models[0]
    if (model === undefined) throw invalid('model', 'is required, since the connection offers none')
    const languageModel = await openModel(connection, model, workspace.id)
    const { generateText } = await import('ai')
    const startedAt = performance.now()
    try {
      await generateText({
        model: languageModel,
        prompt: 'Answer with the word: works',
        maxOutputTokens: 16,
        maxRetries: 0,
        abortSignal: AbortSignal.timeout(timeoutMs),
      })
      return { works: true, model, durationMs: performance.now() - startedAt }
    } catch (error) {
      return { works: false, model, durationMs: performance.now() - startedAt, problem: problemOf(error) }
    }
  }
