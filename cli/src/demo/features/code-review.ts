/** Code review of pull requests: a model call for each file, tool calls, and scores by developers. */
import { type Review, reviews } from '../material/reviews.ts'
import { startRun } from '../run.ts'
import { type PlannedRecord, type PlannedScore, type Scene, traceOf } from '../scene.ts'

export function* codeReview(scene: Scene, startMs: number): Generator<PlannedRecord> {
  const { random, people } = scene
  const developer = people.developer(random)
  const run = startRun(scene, startMs)
  const review = random.pick(reviews)
  const pullRequest = random.int(4000, 9999)
  const comments = formatFindings(review)
  let isReviewed = false
  run.nest('span', 'review', { pullRequest, title: review.title }, () => {
    run.step('tool', 'github.pull_request', 320, {
      input: { repository: 'fernhill/core', number: pullRequest },
      output: {
        title: review.title,
        author: developer.user.name,
        files: [review.path],
        additions: review.diff.split('\n').length,
      },
    })
    run.nest('function', 'gather-context', { path: review.path }, () => {
      run.step('tool', 'git.blame', 210, {
        input: { path: review.path },
        output: { authors: random.int(1, 5), lastChangeDays: random.int(1, 400) },
      })
      run.step('retrieval', 'past-reviews', 60, {
        input: { query: review.title },
        output: [{ id: `pr-${random.int(1000, 3999)}`, score: 0.71, text: 'Use Decimal for money.' }],
      })
      return { output: { tokens: random.int(800, 4000) } }
    })
    isReviewed = run.generate({
      name: 'review',
      prompt: 'review-diff',
      messages: 'rendered',
      variables: {
        title: review.title,
        description: review.description,
        diff: review.diff,
        files: [{ path: review.path, diff: review.diff }],
      },
      output: comments,
      cached: 0.2,
    })
    if (!isReviewed) return { output: null, metadata: { error: 'The reviewer did not answer.' } }
    const lint = random.chance(0.04)
    run.step('tool', 'ci.run_tests', 41_000, {
      input: { path: review.path },
      output: lint ? null : { passed: random.int(180, 420), failed: 0 },
      metadata: lint
        ? { error: { type: 'ExitCode', code: 137, message: 'The runner ran out of memory.' } }
        : {},
    })
    run.step('tool', 'github.comment', 260, {
      input: { comments: review.findings.length },
      output: { ok: true },
    })
    return { output: comments }
  })
  const body = traceOf(scene, run, developer, {
    name: `Review of #${pullRequest}`,
    featureSlug: 'code-review',
    input: { repository: 'fernhill/core', pullRequest, title: review.title },
    output: isReviewed ? comments : null,
    metadata: { repository: 'fernhill/core', path: review.path, findings: review.findings.length },
  })
  yield { type: 'trace', body, scores: isReviewed ? scoresOf(scene, review) : [] }
}

const formatFindings = ({ path, findings }: Review): string =>
  findings.length === 0
    ? 'Looks right.'
    : findings.map(({ line, severity, text }) => `- \`${path}:${line}\` (${severity}) ${text}`).join('\n')

function scoresOf({ random }: Scene, { findings }: Review): PlannedScore[] {
  if (!random.chance(0.3)) return []
  const verdict = random.weighted([
    { value: 'caught a bug', weight: findings.length * 2 },
    { value: 'useful', weight: 3 },
    { value: 'noise', weight: findings.length === 0 ? 0.3 : 1 },
  ]).value
  return [
    {
      name: 'verdict',
      value: verdict,
      ...(verdict === 'noise' ? { comment: 'We do that on purpose, see the ADR.' } : {}),
    },
  ]
}
