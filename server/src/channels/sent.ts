/** What became of a message that was sent, and what a receiver's answer means. */

export type Sent =
  | { readonly type: 'delivered'; readonly answer: string | undefined }
  | {
      readonly type: 'failed'
      readonly problem: string
      readonly answer: string | undefined
      /** When the receiver wants it again. */
      readonly retryAfterMs?: number | undefined
      /** Whether trying again cannot help. */
      readonly isFinal?: boolean
      /** Whether the receiver wants nothing any more. */
      readonly isGone?: boolean
    }

const answerCharactersMax = 300
/** More of an answer than this is not even read. */
const answerBytesMax = 4096

/** What an answer over HTTP means. */
export async function sentOver(response: Response, now: Date): Promise<Sent> {
  const { status } = response
  const text = await beginningOf(response)
  const answer = `${status}${text === '' ? '' : ` ${text}`}`
  if (response.ok) return { type: 'delivered', answer }
  const problem = `The receiver answered ${answer}`
  if (status === 410) return { type: 'failed', problem, answer, isFinal: true, isGone: true }
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), now)
  return { type: 'failed', problem, answer, retryAfterMs }
}

/** The answer's first words, in one line. A receiver that never ends its answer is not waited for. */
async function beginningOf(response: Response): Promise<string> {
  const bytes: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes.push(chunk)
      length += chunk.length
      if (length >= answerBytesMax) break
    }
  } catch {
    // The status has been answered, which is what counts.
  }
  return Buffer.concat(bytes).toString('utf8').replaceAll(/\s+/g, ' ').trim().slice(0, answerCharactersMax)
}

const retryAfterMsMax = 24 * 3_600_000

/** Seconds, or a date; undefined where it is neither. */
export function readRetryAfter(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), retryAfterMsMax)
}
