/** Agreement between an evaluator and human annotators: matches the evaluator's scores with human scores. Pure. */
import type { JudgeAgreement } from '@plumbline/contract'
import type { ScoreRow } from '@plumbline/storage/traces'
import { pearson, spearman } from '../../statistics/correlation.ts'
import type { Category } from '../../statistics/kappa.ts'
import { kappaOf, shareOf } from '../../statistics/ratings.ts'

/** A trace or log with verdicts of both the evaluator and annotators. */
export interface JudgedCase {
  readonly verdict: ScoreRow
  readonly human: readonly ScoreRow[]
  /** The evaluator's value, and the annotators' combined value; undefined if there is a tie. */
  readonly judge: Category
  readonly people: Category | undefined
}

type Type = JudgeAgreement['type']

/** A larger matrix is unreadable. Texts with more distinct values are notes, not categories. */
const categoriesMax = { boolean: 2, numeric: 12, categorical: 100 } as const
/** More distinct values are not a scale, and the cost of kappa grows with their square. */
const scaleMax = 50

/** The latest verdict of each version on each trace or log, with the human scores of the same; newest first. */
export function matchCases(
  verdicts: readonly ScoreRow[],
  human: readonly ScoreRow[],
): { type: Type; cases: JudgedCase[] } {
  const type = typeOf([...verdicts, ...human].map(({ value }) => value))
  const subjectKey = ({ traceId, logId }: ScoreRow): string => JSON.stringify([traceId, logId])
  const people = Map.groupBy(human, subjectKey)
  const last = new Map<string, ScoreRow>()
  for (const verdict of verdicts) {
    const key = `${subjectKey(verdict)} ${verdict.evaluatorVersion}`
    const existing = last.get(key)
    if (existing === undefined || existing.createdAtMs < verdict.createdAtMs) last.set(key, verdict)
  }
  const cases = [...last.values()].flatMap((verdict) => {
    const humanScores = people.get(subjectKey(verdict)) ?? []
    if (humanScores.length === 0) return []
    const values = humanScores.map(({ value }) => asType(value, type))
    return [
      { verdict, human: humanScores, judge: asType(verdict.value, type), people: combine(values, type) },
    ]
  })
  return { type, cases: cases.sort(compareNewestFirst) }
}

/** Agreement over the latest verdict on each trace or log, and per version. */
export function judgeAgreement(type: Type, cases: readonly JudgedCase[]): JudgeAgreement {
  const latest = new Map<string, JudgedCase>()
  for (const judgedCase of cases) {
    const key = JSON.stringify([judgedCase.verdict.traceId, judgedCase.verdict.logId])
    if (!latest.has(key)) latest.set(key, judgedCase)
  }
  const all = [...latest.values()]
  const versions = [...Map.groupBy(cases, ({ verdict }) => verdict.evaluatorVersion)].map(
    ([version, versionCases]) => ({
      version: version === null ? null : Number(version),
      ...measureAgreement(type, versionCases),
    }),
  )
  return {
    type,
    ...measureAgreement(type, all),
    ...buildMatrix(type, all),
    versions: versions.sort((first, second) => (second.version ?? 0) - (first.version ?? 0)),
  }
}

const isDecided = (judgedCase: JudgedCase): judgedCase is JudgedCase & { people: Category } =>
  judgedCase.people !== undefined

function measureAgreement(type: Type, cases: readonly JudgedCase[]) {
  const ratings = cases.filter(isDecided).map(({ judge, people }) => [judge, people] as const)
  const numbers = ratings.map(([judge, people]) => [Number(judge), Number(people)] as const)
  const isNumeric = type === 'numeric' && numbers.length > 0
  return {
    agreed: shareOf(ratings),
    undecided: cases.length - ratings.length,
    kappa: isScale(type, ratings.flat()) ? (kappaOf(ratings) ?? null) : null,
    meanDifference: isNumeric
      ? numbers.reduce((sum, [judge, people]) => sum + Math.abs(judge - people), 0) / numbers.length
      : null,
    pearson: isNumeric ? (pearson(numbers) ?? null) : null,
    spearman: isNumeric ? (spearman(numbers) ?? null) : null,
  }
}

const isScale = (type: Type, values: readonly Category[]): boolean =>
  type !== 'numeric' || new Set(values).size <= scaleMax

function buildMatrix(type: Type, cases: readonly JudgedCase[]) {
  const decided = cases.filter(isDecided)
  const used = new Set(decided.flatMap(({ judge, people }) => [judge, people]))
  const categories = type === 'boolean' ? [true, false] : [...used].sort(compareCategories)
  if (categories.length > categoriesMax[type]) return { categories: [], matrix: [] }
  const places = new Map(categories.map((category, place) => [category, place]))
  const matrix = categories.map(() => categories.map(() => 0))
  for (const { judge, people } of decided) matrix[places.get(judge)!]![places.get(people)!]! += 1
  return { categories, matrix }
}

function compareCategories(first: Category, second: Category): number {
  if (typeof first === 'number' && typeof second === 'number') return first - second
  return String(first) < String(second) ? -1 : 1
}

/** The type that all values can be compared as: booleans count as numbers beside numbers, and all values as text beside text. */
function typeOf(values: readonly Category[]): Type {
  if (values.every((value) => typeof value === 'boolean')) return 'boolean'
  return values.every((value) => typeof value !== 'string') ? 'numeric' : 'categorical'
}

function asType(value: Category, type: Type): Category {
  if (type === 'numeric') return Number(value)
  return type === 'categorical' ? String(value) : value
}

/** The mean of numbers, otherwise the majority. */
function combine(values: readonly Category[], type: Type): Category | undefined {
  if (type === 'numeric') return values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length
  const counts = [...Map.groupBy(values, (value) => value)].sort(
    ([, left], [, right]) => right.length - left.length,
  )
  const [first, second] = counts
  return first !== undefined && first[1].length !== second?.[1].length ? first[0] : undefined
}

function compareNewestFirst({ verdict: left }: JudgedCase, { verdict: right }: JudgedCase): number {
  if (left.createdAtMs !== right.createdAtMs) return right.createdAtMs - left.createdAtMs
  return left.scoreId < right.scoreId ? 1 : -1
}
