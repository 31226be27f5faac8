/** The turns of a conversation: the input, output and totals of each of its traces. */
import type { ConversationTurn } from '@plumbline/contract'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import type { TraceSummary, TurnTexts } from '@plumbline/storage/traces'
import type { Workspace } from '../workspace/workspace.ts'
import { toTraceSummary } from './view.ts'

/** For each text of a turn, so that a page of fifty turns stays within a few megabytes. */
const charactersMax = 40_000

export type Turn = Omit<ConversationTurn, 'scores'>

export async function readTurns(
  rows: readonly TraceSummary[],
  { traces }: Pick<Workspace, 'traces'>,
): Promise<Turn[]> {
  const [texts, errors] = await Promise.all([
    traces.turnTexts(rows, charactersMax),
    traces.firstErrors(rows.filter((row) => row.errors > 0)),
  ])
  return rows.map((row) => {
    const { id, name, startTime, error, totals } = toTraceSummary(row, errors.get(row.traceId))
    return { traceId: id, name, startTime, ...textsOf(texts.get(row.traceId)), error, totals }
  })
}

/** Parses JSON texts; truncated ones stay text. */
function textsOf(texts: TurnTexts | undefined): Pick<ConversationTurn, 'input' | 'output' | 'isShortened'> {
  const { input = null, output = null } = texts ?? {}
  return { input: readText(input), output: readText(output), isShortened: texts?.isShortened === true }
}

function readText(json: string | null): unknown {
  if (json === null) return null
  try {
    return parseJsonText(json)
  } catch {
    // Truncated, so no longer valid JSON.
    return json
  }
}
