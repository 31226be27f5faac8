import { invalid, type operations, ServiceError } from '@plumbline/contract'
import { readCursor, writeCursor } from '../../requests/cursor.ts'
import type { Verb } from '../../requests/verb.ts'
import type { Category } from '../../statistics/kappa.ts'
import { readInstant } from '../../traces/filters.ts'
import { type JudgedCase, judgeAgreement, matchCases } from './judge-agreement.ts'

/** How well an evaluator agrees with human annotators. */
export const agreement: Verb<typeof operations.evaluators.agreement> = async (input, { workspace }) => {
  const { slug, limit = 50, cursor } = input
  const [evaluator] = await workspace.evaluators.findMany([slug])
  if (evaluator === undefined) throw new ServiceError('evaluator_not_found', { slug })
  const filters = {
    evaluatorSlug: slug,
    fromMs: millisecondsOf(readInstant(input.from, 'from')),
    toMs: millisecondsOf(readInstant(input.to, 'to')),
  }
  const [judgeValue, humanValue] = [
    readValue(input.judgeValue, 'judgeValue'),
    readValue(input.humanValue, 'humanValue'),
  ]
  const before = cursor === undefined ? undefined : readCursor('judged', cursor, ['integer', 'uuid'])
  const candidates = await workspace.traces.commonScoreNames(filters)
  const comparedName = input.against ?? candidates[0]?.name
  if (comparedName === undefined) return { against: null, candidates, agreement: null, cases: [] }
  const { verdicts, human } = await workspace.traces.comparableScores(filters, comparedName)
  const { type, cases } = matchCases(verdicts, human)
  const matching = cases.filter((judgedCase) => {
    if (judgeValue === undefined && humanValue === undefined) return judgedCase.people !== judgedCase.judge
    return (
      (judgeValue === undefined || judgedCase.judge === judgeValue) &&
      (humanValue === undefined || judgedCase.people === humanValue)
    )
  })
  const from =
    before === undefined ? 0 : matching.findIndex((judgedCase) => isAfter(judgedCase, before[0], before[1]))
  const page = from < 0 ? [] : matching.slice(from, from + limit)
  const last = page.at(-1)?.verdict
  return {
    against: comparedName,
    candidates,
    agreement: cases.length === 0 ? null : judgeAgreement(type, cases),
    cases: page.map(viewCase),
    ...(last !== undefined && from + limit < matching.length
      ? { nextCursor: writeCursor('judged', [last.createdAtMs, last.scoreId]) }
      : {}),
  }
}

const isAfter = ({ verdict }: JudgedCase, createdAtMs: number, scoreId: string): boolean =>
  verdict.createdAtMs < createdAtMs || (verdict.createdAtMs === createdAtMs && verdict.scoreId < scoreId)

const viewCase = ({ verdict, human }: JudgedCase) => ({
  traceId: verdict.traceId,
  logId: verdict.logId,
  version: verdict.evaluatorVersion === null ? null : Number(verdict.evaluatorVersion),
  judge: { value: verdict.value, comment: verdict.comment },
  people: human.map(({ value, comment, author, userId }) => ({ value, comment, author, userId })),
})

/** Parses a score value from JSON. */
function readValue(text: string | undefined, path: string): Category | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value
  } catch {
    // Rejected below, like JSON of another type.
  }
  throw invalid(path, 'must be a JSON boolean, number or string')
}

const millisecondsOf = (micros: bigint | undefined): bigint | undefined =>
  micros === undefined ? undefined : micros / 1000n
