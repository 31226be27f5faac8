/** Texts of conversations: the first and last of many conversations, or every turn of one. */
import type { Clients } from '../engine/clients.ts'
import { currentRows } from '../engine/current-rows.ts'
import type { TurnTexts } from '../types.ts'
import { startsAmong } from './trace-groups.ts'

const previewCharacters = 400

type Ends = { firstInput: string | null; lastOutput: string | null }

/**
 * The beginning of the first input and of the last output of each session. In most sessions the first and the last
 * trace have them, and are read by the primary key; all texts of a session are read only if one of the two has none. If
 * the caller does not know when these two started, all traces of the sessions are read.
 */
export async function conversationEnds(
  clients: Clients,
  workspaceId: string,
  ids: readonly string[],
  starts?: readonly bigint[],
): Promise<Map<string, Ends>> {
  const ofSessions = `workspace_id = {workspace:String} AND session_id IN {sessions:Array(String)} AND ${currentRows('traces')}`
  const key = '(start_us, trace_id)'
  const readEnds = async (first: string, last: string, where: string, sessions: readonly string[]) => {
    if (sessions.length === 0) return []
    const rows = await clients.search<{ id: string; first: string; last: string }>(
      `SELECT assumeNotNull(session_id) AS id, ${first} AS first, ${last} AS last
       FROM traces WHERE ${where} GROUP BY session_id`,
      { workspace: workspaceId, sessions, starts: (starts ?? []).map(String) },
    )
    return rows.map(({ id, first, last }): [string, Ends] => [
      id,
      { firstInput: first || null, lastOutput: last || null },
    ])
  }
  const preview = (text: string): string => `substringUTF8(${text}, 1, ${previewCharacters})`
  const ends = new Map(
    await readEnds(
      `argMin(${preview('input')}, ${key})`,
      `argMax(${preview('output')}, ${key})`,
      `${ofSessions} AND ${
        starts === undefined
          ? `start_us IN (SELECT arrayJoin([min(start_us), max(start_us)]) FROM traces WHERE ${ofSessions} GROUP BY session_id)`
          : startsAmong
      }`,
      ids,
    ),
  )
  const incomplete = [...ends].filter(([, { firstInput, lastOutput }]) => !(firstInput && lastOutput))
  const whole = await readEnds(
    `argMinIf(${preview('input')}, ${key}, input != '')`,
    `argMaxIf(${preview('output')}, ${key}, output != '')`,
    ofSessions,
    incomplete.map(([id]) => id),
  )
  return new Map([...ends, ...whole])
}

interface TextRow {
  readonly t: string
  readonly input: string
  readonly output: string
  readonly longest: string | number
}

/**
 * Input and output of traces, up to a number of characters. A trace without its own gets those of its first and last
 * generation. Read by the primary keys.
 */
export async function turnTexts(
  clients: Clients,
  workspaceId: string,
  traces: readonly { traceId: string; startUs: bigint }[],
  charactersMax: number,
): Promise<Map<string, TurnTexts>> {
  if (traces.length === 0) return new Map()
  const readTexts = (sql: string, rows: readonly { traceId: string; startUs: bigint }[]) =>
    clients.read<TextRow>(sql, {
      workspace: workspaceId,
      characters: charactersMax,
      starts: rows.map(({ startUs }) => String(startUs)),
      traces: rows.map(({ traceId }) => traceId),
    })
  const keys = (start: string): string =>
    `workspace_id = {workspace:String} AND ${start} IN (SELECT arrayJoin(arrayMap(start -> toInt64(start), {starts:Array(String)}))) AND trace_id IN {traces:Array(UUID)}`
  const shorten = (text: string): string => `substringUTF8(${text}, 1, {characters:UInt32})`
  const own = await readTexts(
    `SELECT toString(trace_id) AS t, ${shorten('traces.input')} AS input, ${shorten('traces.output')} AS output,
       greatest(lengthUTF8(traces.input), lengthUTF8(traces.output)) AS longest
     FROM traces WHERE ${keys('start_us')} AND ${currentRows('traces')}`,
    traces,
  )
  const texts = new Map(own.map((row) => [row.t, toTexts(row, charactersMax)]))
  const incomplete = traces.filter(({ traceId }) => {
    const text = texts.get(traceId)
    return text?.input === null || text?.output === null
  })
  if (incomplete.length === 0) return texts
  const ofLogs = await readTexts(
    `SELECT toString(trace_id) AS t, ${shorten("argMinIf(logs.input, position, logs.input != '')")} AS input,
       ${shorten("argMaxIf(logs.output, position, logs.output != '')")} AS output,
       max(greatest(lengthUTF8(logs.input), lengthUTF8(logs.output))) AS longest
     FROM logs WHERE ${keys('trace_start_us')} AND type = 'generation' AND ${currentRows('logs')} GROUP BY trace_id`,
    incomplete,
  )
  for (const row of ofLogs) {
    const text = texts.get(row.t)
    const generation = toTexts(row, charactersMax)
    texts.set(row.t, {
      input: text?.input ?? generation.input,
      output: text?.output ?? generation.output,
      isShortened: text?.isShortened === true || generation.isShortened,
    })
  }
  return texts
}

const toTexts = ({ input, output, longest }: TextRow, charactersMax: number): TurnTexts => ({
  input: input || null,
  output: output || null,
  isShortened: Number(longest) > charactersMax,
})
