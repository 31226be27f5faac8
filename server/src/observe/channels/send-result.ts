/** The result of sending a message, and how a receiver's response is interpreted. */

export type SendResult =
  | { readonly type: 'delivered'; readonly responseText: string | undefined }
  | {
      readonly type: 'failed'
      readonly problem: string
      readonly responseText: string | undefined
      /** The delay that the receiver requests before a retry. */
      readonly retryAfterMs?: number | undefined
      /** Whether retrying is pointless. */
      readonly isFinal?: boolean
      /** Whether the receiver wants no more messages. */
      readonly isGone?: boolean
    }

const responseCharactersMax = 300
/** No more of a response than this is read. */
const responseBytesMax = 4096

/** Interprets an HTTP response. */
export async function readResponse(response: Response, now: Date): Promise<SendResult> {
  const { status } = response
  const text = await readStart(response)
  const responseText = `${status}${text === '' ? '' : ` ${text}`}`
  if (response.ok) return { type: 'delivered', responseText }
  const problem = `The receiver responded with ${responseText}`
  if (status === 410) return { type: 'failed', problem, responseText, isFinal: true, isGone: true }
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), now)
  return { type: 'failed', problem, responseText, retryAfterMs }
}

/** The beginning of the response, in one line. It does not wait for a response that never ends. */
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
    // The status has arrived, and it decides the result.
  }
  return Buffer.concat(bytes).toString('utf8').replaceAll(/\s+/g, ' ').trim().slice(0, responseCharactersMax)
}

const retryAfterMsMax = 24 * 3_600_000

/** Seconds or a date; undefined for anything else. */
export function readRetryAfter(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), retryAfterMsMax)
}
