/** What became of a message that was sent, and what a receiver's answer means. */

export type SendResult =
  | { readonly type: 'delivered'; readonly responseText: string | undefined }
  | {
      readonly type: 'failed'
      readonly problem: string
      readonly responseText: string | undefined
      /** When the receiver wants it again. */
      readonly retryAfterMs?: number | undefined
      /** Whether trying again cannot help. */
      readonly isFinal?: boolean
      /** Whether the receiver wants nothing any more. */
      readonly isGone?: boolean
    }

const responseCharactersMax = 300
/** More of an answer than this is not even read. */
const responseBytesMax = 4096

/** What an answer over HTTP means. */
export async function readResponse(response: Response, now: Date): Promise<SendResult> {
  const { status } = response
  const text = await readStart(response)
  const responseText = `${status}${text === '' ? '' : ` ${text}`}`
  if (response.ok) return { type: 'delivered', responseText }
  const problem = `The receiver answered ${responseText}`
  if (status === 410) return { type: 'failed', problem, responseText, isFinal: true, isGone: true }
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), now)
  return { type: 'failed', problem, responseText, retryAfterMs }
}

/** The answer's first words, in one line. A receiver that never ends its answer is not waited for. */
async function readStart(response: Response): Promise<string> {
  const bytes: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes.push(chunk)
      length += chunk.length
      if (length >= responseBytesMax) break
    }
  } catch {
    // The status has been answered, which is what counts.
  }
  return Buffer.concat(bytes).toString('utf8').replaceAll(/\s+/g, ' ').trim().slice(0, responseCharactersMax)
}

const retryAfterMsMax = 24 * 3_600_000

/** Seconds, or a date; undefined where it is neither. */
export function readRetryAfter(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), retryAfterMsMax)
}
