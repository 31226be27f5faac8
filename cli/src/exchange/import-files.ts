/** `plumbline import`: reads and sorts everything first, then reports, and only then sends. */
import { stat } from 'node:fs/promises'
import {
  type FoundRow,
  type FoundVersion,
  type JsonRecord,
  type Source,
  sourceOf,
  sources,
} from '@plumbline/sdk/import'
import { startProgress } from '../progress.ts'
import { CommandFailed, FoundWrong, type Session } from '../session.ts'
import { filesIn, recordsOf } from './records.ts'
import { importedBefore, Outcome, sendPrompts, sendRows, sendSpans, sendTrace } from './sending.ts'
import { Sorting } from './sorting.ts'
import { Survey } from './survey.ts'

export interface ImportOptions {
  readonly from?: string
  readonly feature?: string
  readonly dryRun?: boolean
}

/** Traces under way at a time. */
const concurrency = 8

export async function importFiles(
  session: Session,
  paths: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const { print, tell } = session
  const files = await Array.fromAsync(filesIn(paths))
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const survey = new Survey()
  const sorting = new Sorting(sizes.reduce((sum, size) => sum + size, 0))
  try {
    const used = await sort(session, files, options, survey, sorting)
    for await (const { source, id, parts } of sorting.piles())
      survey.trace(source, used.get(source)!.assemble(id, parts))
    if (options.dryRun === true) return print({ files: files.length, ...survey.report }, survey.words)

    const outcomes = await send(session, options, survey, sorting, used)
    const failed = Object.values(outcomes).reduce((sum, outcome) => sum + outcome.failed, 0)
    for (const { problems } of Object.values(outcomes)) for (const problem of problems) tell(problem)
    const words = Object.entries(outcomes)
      .filter(([, { added, present, failed: refused }]) => added + present + refused > 0)
      .map(([what, { added, present, failed: refused }]) =>
        [
          `${what}: ${added} added`,
          present > 0 && `${present} were there`,
          refused > 0 && `${refused} refused`,
        ]
          .filter(Boolean)
          .join(', '),
      )
    print({ files: files.length, outcomes, ...survey.report, samples: undefined }, words.join('\n'))
    if (failed > 0) throw new FoundWrong()
  } catch (cause) {
    if (session.signal.aborted)
      throw new CommandFailed('The import was interrupted. Repeat it: what is there is not stored again.', {
        cause,
      })
    throw cause
  } finally {
    sorting.remove()
  }
}

/** Deals every record to where it belongs; answers the systems that they came from. */
async function sort(
  session: Session,
  files: readonly string[],
  { from }: ImportOptions,
  survey: Survey,
  sorting: Sorting,
): Promise<Map<string, Source>> {
  const asked = sources.find(({ name }) => name === from)
  const used = new Map<string, Source>()
  const progress = startProgress(session, 'records', undefined)
  try {
    for (const file of files) {
      for await (const record of recordsOf(file, () => session.signal.throwIfAborted())) {
        progress.advance()
        const source = asked ?? sourceOf(record)
        if (source === undefined) {
          survey.ignore({
            type: 'ignored',
            what: 'record',
            why: 'no known system writes such; say which with --from',
          })
          continue
        }
        used.set(source.name, source)
        survey.record(source.name)
        await deal(source, record, survey, sorting)
      }
    }
    await sorting.end()
  } finally {
    progress.end()
  }
  return used
}

async function deal(source: Source, record: JsonRecord, survey: Survey, sorting: Sorting): Promise<void> {
  for (const sorted of source.sort(record)) {
    switch (sorted.type) {
      case 'part':
        await sorting.addPart(source.name, sorted.traceId, { kind: sorted.kind, record: sorted.record })
        break
      case 'version':
        survey.version(sorted.version)
        await sorting.add('versions', sorted.version)
        break
      case 'row':
        survey.row(sorted.row)
        await sorting.add(`rows ${sorted.row.slug}`, sorted.row)
        break
      case 'otlp':
        survey.request(sorted.request)
        await sorting.add('requests', sorted.request)
        break
      case 'ignored':
        survey.ignore(sorted)
    }
  }
}

/** Prompts first, since traces name them. */
async function send(
  session: Session,
  { feature }: ImportOptions,
  survey: Survey,
  sorting: Sorting,
  used: ReadonlyMap<string, Source>,
): Promise<Record<'prompt versions' | 'dataset rows' | 'traces' | 'spans', Outcome>> {
  const { client, signal } = session
  const outcomes = {
    'prompt versions': new Outcome(),
    'dataset rows': new Outcome(),
    traces: new Outcome(),
    spans: new Outcome(),
  }
  const versions = await Array.fromAsync(sorting.list<FoundVersion>('versions'))
  await sendPrompts(client, versions, outcomes['prompt versions'])
  for (const [slug, dataset] of survey.datasets)
    await sendRows(session, slug, dataset, sorting.list<FoundRow>(`rows ${slug}`), outcomes['dataset rows'])
  for await (const request of sorting.list<JsonRecord>('requests'))
    await sendSpans(session, request, outcomes.spans)
  if (survey.traceCount === 0) return outcomes

  const before = new Map<string, Map<string, string>>()
  for (const name of used.keys()) before.set(name, await importedBefore(client, name))
  const progress = startProgress(session, 'traces', survey.traceCount)
  const underWay = new Set<Promise<void>>()
  try {
    for await (const { source, id, parts } of sorting.piles()) {
      signal.throwIfAborted()
      const found = used.get(source)!.assemble(id, parts)
      const sending = sendTrace(client, source, found, feature, before.get(source)!, outcomes.traces).then(
        () => {
          progress.advance()
          underWay.delete(sending)
        },
      )
      underWay.add(sending)
      // A failure is met at the next race or at the end.
      sending.catch(() => {})
      if (underWay.size >= concurrency) await Promise.race(underWay)
    }
    await Promise.all(underWay)
  } finally {
    await Promise.allSettled(underWay)
    progress.end()
  }
  return outcomes
}
