/** Translations of product texts: batches of single calls, most of them sent with POST /monitor/log. */

import { servedVersion } from '../material/prompts.ts'
import { productTexts } from '../material/translations.ts'
import { startRun } from '../run.ts'
import { deploymentOf, type PlannedRecord, type Scene, traceOf } from '../scene.ts'

export function* translation(scene: Scene, startMs: number): Generator<PlannedRecord> {
  const { random, calendar, people } = scene
  const person = people.customer(random)
  const product = random.pick(productTexts)
  const jobId = `job_${random.hex(10)}`
  let clockMs = startMs
  for (const [language, translated] of Object.entries(product.to)) {
    if (clockMs > calendar.endMs) return
    const run = startRun(scene, clockMs)
    const version = servedVersion('translate-product', run.progress)
    const variables = {
      source_language: 'English',
      target_language: language,
      text: product.source,
      ...(product.glossary === undefined ? {} : { glossary: product.glossary }),
    }
    // The input is left out: the service renders it from the prompt and the variables.
    const isDone = run.generate({
      name: 'translate',
      prompt: 'translate-product',
      version,
      variables,
      output: translated,
      isUncounted: random.chance(0.5),
    })
    const metadata = { sessionId: jobId, sku: product.sku, targetLanguage: language }
    const scores = isDone && random.chance(0.1) ? [{ name: 'rating', value: random.int(3, 5) }] : []
    const [log] = run.logs
    if (log?.type !== 'generation' || random.chance(0.3)) {
      const body = traceOf(scene, run, person, {
        name: `Translate ${product.sku} into ${language}`,
        featureSlug: 'translation',
        input: product.source,
        output: isDone ? translated : null,
        metadata,
      })
      yield { type: 'trace', body, scores }
    } else {
      const { variables: logVariables, output, inputTokens, outputTokens, startTime, endTime } = log
      yield {
        type: 'log',
        scores,
        body: {
          slug: 'translate-product',
          version: version.version,
          name: 'Translate product',
          variables: logVariables,
          output: output ?? null,
          inputTokens,
          outputTokens,
          startTime,
          endTime,
          user: person.user,
          organization: person.organization,
          ...deploymentOf(scene, run.progress),
          metadata: { demo: scene.mark, ...metadata },
        },
      }
    }
    clockMs = Date.parse(run.time()) + 200
  }
}
