/** Help centre search: rewrite, retrieve, rank, answer with sources. */
import { type Article, articles, questions } from '../material/articles.ts'
import { startRun } from '../run.ts'
import { type PlannedRecord, type PlannedScore, type Scene, traceOf } from '../scene.ts'

export function* docsSearch(scene: Scene, startMs: number): Generator<PlannedRecord> {
  const { random, calendar, people } = scene
  const person = people.customer(random)
  const inLanguage = questions.filter(({ language }) => language === person.language)
  const sessionId = random.chance(0.5) ? `search_${random.hex(12)}` : undefined
  let clockMs = startMs
  for (let left = 1 + Number(random.chance(0.25)); left > 0 && clockMs < calendar.endMs; left--) {
    const run = startRun(scene, clockMs)
    const question = random.pick(inLanguage.length > 0 ? inLanguage : questions)
    const text = random.pick(question.phrasings)
    const documents = retrieve(scene, question.articleIds)
    let isAnswered = false
    run.nest('span', 'search', text, () => {
      run.generate({
        name: 'rewrite',
        prompt: 'docs-rewrite',
        variables: { question: text },
        output: question.query,
      })
      run.nest('retrieval', 'help-centre', { query: question.query, topK: 8 }, () => {
        run.generate({
          name: 'embed',
          model: 'embedding',
          messages: [{ role: 'user', content: question.query }],
          output: null,
          metadata: { dimensions: 1536 },
        })
        run.step('function', 'vector-search', 35, {
          input: { index: 'kb-v3', topK: 8 },
          output: { hits: documents.length },
        })
        run.step('function', 'rerank', 90, {
          input: { model: 'local-cross-encoder', documents: documents.length },
        })
        return { output: documents, metadata: { index: 'kb-v3', minScore: 0.35 } }
      })
      isAnswered = run.generate({
        name: 'answer',
        prompt: 'docs-answer',
        messages: 'rendered',
        variables: { question: text, documents, language: person.language },
        output: question.answer,
        isStreamed: true,
        cached: random.chance(0.5) ? 0.35 : 0,
      })
      return isAnswered
        ? { output: question.answer }
        : { output: null, metadata: { error: 'No answer in time.' } }
    })
    const body = traceOf(scene, run, person, {
      name: 'Help centre search',
      featureSlug: 'docs-search',
      input: { question: text, locale: person.language },
      output: isAnswered ? { answer: question.answer, sources: question.articleIds } : null,
      metadata: {
        ...(sessionId === undefined ? {} : { sessionId }),
        surface: random.pick(['help-centre', 'help-centre', 'admin-sidebar', 'mobile-app']),
        found: documents.length,
      },
      evaluators: [{ slug: 'cites-sources' }],
    })
    yield { type: 'trace', body, scores: isAnswered ? scoresOf(scene, question.articleIds.length) : [] }
    clockMs = Date.parse(run.time()) + random.around(40_000, 0.6)
  }
}

interface RankedArticle extends Article {
  readonly score: number
}

/** The articles that answer the question, then similar ones that do not. */
function retrieve({ random }: Scene, ids: readonly string[]): RankedArticle[] {
  const matches = articles.filter(({ id }) => ids.includes(id))
  const others = articles.filter(({ id }) => !ids.includes(id))
  const noise = Array.from({ length: random.int(1, 4) }, () => random.pick(others))
  let score = matches.length > 0 ? 0.93 : 0.47
  return [...new Set([...matches, ...noise])].map((article) => {
    score -= random.float() * 0.12
    return { ...article, score: Number(Math.max(score, 0.3).toFixed(3)) }
  })
}

function scoresOf({ random }: Scene, sourceCount: number): PlannedScore[] {
  const scores: PlannedScore[] = []
  if (random.chance(0.12)) {
    const value = sourceCount === 0 ? random.int(1, 3) : random.int(3, 5)
    scores.push({ name: 'rating', value, ...(value < 3 ? { comment: 'It does not know.' } : {}) })
  }
  if (random.chance(0.08)) {
    scores.push({
      name: 'faithfulness',
      value: Number((1 - random.float() ** 3 * 0.6).toFixed(2)),
      comment: 'Share of the sentences that an article supports.',
    })
  }
  return scores
}
