/** `plumbline import`: reads and sorts everything, reports, and then sends. */
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
import { listFiles, readRecords } from './records.ts'
import { sendSpans } from './send-spans.ts'
import { findImported, namesOf, Outcome, sendPrompts, sendRows, sendTrace } from './sending.ts'
import { RecordSorter } from './sorting.ts'
import { Survey } from './survey.ts'

export interface ImportOptions {
  readonly from?: string
  readonly feature?: string
  readonly dryRun?: boolean
}

/** Concurrent trace uploads. */
const concurrency = 8

export async function importFiles(
  session: Session,
  paths: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const { print, tell } = session
  const files = await Array.fromAsync(listFiles(paths))
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const survey = new Survey()
  const sorter = new RecordSorter(sizes.reduce((sum, size) => sum + size, 0))
  try {
    const usedSources = await sortFiles(session, files, options, survey, sorter)
    for await (const { source, id, parts } of sorter.readTraces())
      survey.trace(source, usedSources.get(source)!.assemble(id, parts))
    survey.ignore({ type: 'ignored', what: 'record', why: 'its span was not read' }, sorter.unclaimedCount)
    if (options.dryRun === true) return print({ files: files.length, ...survey.report }, survey.summary)

    const outcomes = await sendAll(session, options, survey, sorter, usedSources)
    const failed = Object.values(outcomes).reduce((sum, outcome) => sum + outcome.failed, 0)
    for (const { problems } of Object.values(outcomes)) for (const problem of problems) tell(problem)
    const lines = Object.entries(outcomes)
      .filter(([, { added, present, failed: refused }]) => added + present + refused > 0)
      .map(([what, { added, present, failed: refused }]) =>
        [
          `${what}: ${added} added`,
          present > 0 && `${present} already there`,
          refused > 0 && `${refused} rejected`,
        ]
          .filter(Boolean)
          .join(', '),
      )
    print(
      { files: files.length, outcomes, ...survey.report, samples: undefined },
      (lines.length === 0
        ? ['Nothing was imported.', ...survey.skipped]
        : [...lines, ...survey.skipped]
      ).join('\n'),
    )
    if (failed > 0 || (usedSources.size === 0 && survey.skipped.length > 0)) throw new FoundWrong()
  } catch (cause) {
    if (session.signal.aborted)
      throw new CommandFailed(
        'The import was interrupted. Run it again: existing data is not stored twice.',
        {
          cause,
        },
      )
    throw cause
  } finally {
    sorter.remove()
  }
}

/** Sorts every record; returns the systems that the records came from. */
async function sortFiles(
  session: Session,
  files: readonly string[],
  { from }: ImportOptions,
  survey: Survey,
  sorter: RecordSorter,
): Promise<Map<string, Source>> {
  const forcedSource = sources.find(({ name }) => name === from)
  const usedSources = new Map<string, Source>()
  const progress = startProgress(session, 'records', undefined)
  try {
    for (const file of files) {
      for await (const record of readRecords(file, () => session.signal.throwIfAborted())) {
        progress.advance()
        const source = forcedSource ?? sourceOf(record)
        if (source === undefined) {
          survey.ignore({
            type: 'ignored',
            what: 'record',
            why: 'no known system writes such records; set the source with --from',
          })
          continue
        }
        usedSources.set(source.name, source)
        survey.record(source.name)
        await sortRecord(source, record, survey, sorter)
      }
    }
    await sorter.end()
  } finally {
    progress.end()
  }
  return usedSources
}

async function sortRecord(
  source: Source,
  record: JsonRecord,
  survey: Survey,
  sorter: RecordSorter,
): Promise<void> {
  for (const item of source.sort(record)) {
    switch (item.type) {
      case 'part':
        await sorter.addPart(source.name, item.traceId, {
          ...{ kind: item.kind, record: item.record },
          ...(item.spanId === undefined ? {} : { spanId: item.spanId }),
        })
        break
      case 'loosePart':
        sorter.addLoosePart(source.name, item.spanId, { kind: item.kind, record: item.record })
        break
      case 'version':
        survey.version(item.version)
        await sorter.add('versions', item.version)
        break
      case 'row':
        survey.row(item.row)
        await sorter.add(`rows ${item.row.datasetName}`, item.row)
        break
      case 'otlp':
        survey.request(item.request)
        await sorter.add('requests', item.request)
        break
      case 'ignored':
        survey.ignore(item)
    }
  }
}

/** Sends prompts first, since traces refer to them. */
async function sendAll(
  session: Session,
  { feature }: ImportOptions,
  survey: Survey,
  sorter: RecordSorter,
  usedSources: ReadonlyMap<string, Source>,
): Promise<Record<'prompt versions' | 'dataset rows' | 'traces' | 'spans', Outcome>> {
  const { client, signal } = session
  const outcomes = {
    'prompt versions': new Outcome(),
    'dataset rows': new Outcome(),
    traces: new Outcome(),
    spans: new Outcome(),
  }
  const versions = await Array.fromAsync(sorter.readList<FoundVersion>('versions'))
  if (versions.length > 0) {
    const slugs = survey.choosePromptSlugs(await namesOf(async () => (await client.prompts.list()).prompts))
    await sendPrompts(client, versions, slugs, outcomes['prompt versions'])
  }
  const listDatasets = async () => (survey.datasets.size === 0 ? [] : (await client.datasets.list()).datasets)
  const datasetSlugs = survey.chooseDatasetSlugs(await namesOf(listDatasets))
  for (const dataset of survey.datasets.values())
    await sendRows(
      session,
      datasetSlugs.get(dataset.name)!,
      dataset,
      sorter.readList<FoundRow>(`rows ${dataset.name}`),
      outcomes['dataset rows'],
    )
  for await (const request of sorter.readList<JsonRecord>('requests'))
    await sendSpans(session, request, outcomes.spans)
  if (survey.traceCount === 0) return outcomes

  const importedIds = new Map<string, Map<string, string>>()
  for (const name of usedSources.keys()) importedIds.set(name, await findImported(client, name))
  const progress = startProgress(session, 'traces', survey.traceCount)
  const inFlight = new Set<Promise<void>>()
  try {
    for await (const { source, id, parts } of sorter.readTraces()) {
      signal.throwIfAborted()
      const trace = usedSources.get(source)!.assemble(id, parts)
      const task = sendTrace(client, source, trace, feature, importedIds.get(source)!, outcomes.traces).then(
        () => {
          progress.advance()
          inFlight.delete(task)
        },
      )
      inFlight.add(task)
      // The next race or the final Promise.all reports the failure.
      task.catch(() => {})
      if (inFlight.size >= concurrency) await Promise.race(inFlight)
    }
    await Promise.all(inFlight)
  } finally {
    await Promise.allSettled(inFlight)
    progress.end()
  }
  return outcomes
}
