/** How far an evaluator judges as people do, pure: verdicts and what people said are matched, counted and held together. */
import type { JudgeAgreement } from '@plumbline/contract'
import type { ScoreRow } from '@plumbline/storage/traces'
import { pearson, spearman } from '../statistics/correlation.ts'
import type { Category } from '../statistics/kappa.ts'
import { kappaOf, shareOf } from '../statistics/ratings.ts'

/** One trace or log that both have judged. */
export interface JudgedCase {
  readonly verdict: ScoreRow
  readonly human: readonly ScoreRow[]
  /** What the evaluator said, and what people said together; undefined where as many said one thing as another. */
  readonly judge: Category
  readonly people: Category | undefined
}

type Type = JudgeAgreement['type']

/** More values than these make no table that anybody reads. */
const categoriesMax = 12
/** More than these are no scale, and their square is much to count. */
const scaleMax = 50

/** Verdicts with what people said of the same, the last first: of a trace or log, the last verdict of each version. */
export function casesOf(
  verdicts: readonly ScoreRow[],
  human: readonly ScoreRow[],
): { type: Type; cases: JudgedCase[] } {
  const type = typeOf([...verdicts, ...human].map(({ value }) => value))
  const placeOf = ({ traceId, logId }: ScoreRow): string => JSON.stringify([traceId, logId])
  const people = Map.groupBy(human, placeOf)
  const last = new Map<string, ScoreRow>()
  for (const verdict of verdicts) {
    const key = `${placeOf(verdict)} ${verdict.evaluatorVersion}`
    const known = last.get(key)
    if (known === undefined || known.createdAtMs < verdict.createdAtMs) last.set(key, verdict)
  }
  const cases = [...last.values()].flatMap((verdict) => {
    const said = people.get(placeOf(verdict)) ?? []
    if (said.length === 0) return []
    const values = said.map(({ value }) => asType(value, type))
    return [{ verdict, human: said, judge: asType(verdict.value, type), people: together(values, type) }]
  })
  return { type, cases: cases.sort(lastFirst) }
}

/** How far they agree, in all by the last verdict on each trace or log, and for each version. */
export function judgeAgreement(type: Type, cases: readonly JudgedCase[]): JudgeAgreement {
  const latest = new Map<string, JudgedCase>()
  for (const each of cases) {
    const key = JSON.stringify([each.verdict.traceId, each.verdict.logId])
    if (!latest.has(key)) latest.set(key, each)
  }
  const all = [...latest.values()]
  const versions = [...Map.groupBy(cases, ({ verdict }) => verdict.evaluatorVersion)].map(
    ([version, of]) => ({
      version: version === null ? null : Number(version),
      ...figuresOf(type, of),
    }),
  )
  return {
    type,
    ...figuresOf(type, all),
    ...matrixOf(type, all),
    versions: versions.sort((one, other) => (other.version ?? 0) - (one.version ?? 0)),
  }
}

const isDecided = (of: JudgedCase): of is JudgedCase & { people: Category } => of.people !== undefined

function figuresOf(type: Type, cases: readonly JudgedCase[]) {
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

function matrixOf(type: Type, cases: readonly JudgedCase[]) {
  const decided = cases.filter(isDecided)
  const used = new Set(decided.flatMap(({ judge, people }) => [judge, people]))
  const categories = type === 'boolean' ? [true, false] : [...used].sort(inOrder)
  if (categories.length > categoriesMax && type === 'numeric') return { categories: [], matrix: [] }
  const matrix = categories.map((judge) =>
    categories.map((people) => decided.filter((of) => of.judge === judge && of.people === people).length),
  )
  return { categories, matrix }
}

function inOrder(one: Category, other: Category): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one) < String(other) ? -1 : 1
}

/** What can be held together: truth as numbers where there are numbers, and texts where there is any. */
function typeOf(values: readonly Category[]): Type {
  if (values.every((value) => typeof value === 'boolean')) return 'boolean'
  return values.every((value) => typeof value !== 'string') ? 'numeric' : 'categorical'
}

function asType(value: Category, type: Type): Category {
  if (type === 'numeric') return Number(value)
  return type === 'categorical' ? String(value) : value
}

/** The mean of numbers, else what most say. */
function together(values: readonly Category[], type: Type): Category | undefined {
  if (type === 'numeric') return values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length
  const counts = [...Map.groupBy(values, (value) => value)].sort(
    ([, one], [, other]) => other.length - one.length,
  )
  const [first, second] = counts
  return first !== undefined && first[1].length !== second?.[1].length ? first[0] : undefined
}

function lastFirst({ verdict: one }: JudgedCase, { verdict: other }: JudgedCase): number {
  if (one.createdAtMs !== other.createdAtMs) return other.createdAtMs - one.createdAtMs
  return one.scoreId < other.scoreId ? 1 : -1
}
