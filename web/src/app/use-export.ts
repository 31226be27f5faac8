/** Exports with progress: records received, the total if known, and a cancel button. */
import { RequestFailed } from '@plumbline/sdk'
import type { Progress, RecordFormat } from '../ui/files/save-response.ts'
import { useToasts } from '../ui/overlay/toast.tsx'
import { exactNumber, formatBytes } from '../ui/text/format.ts'
import { fetchPath } from './workspace/workspace-choice.ts'

export interface Export {
  /** The path and query of the export. */
  readonly address: string
  readonly fileName: string
  readonly format: RecordFormat
  /** The plural noun for its records. */
  readonly records: string
  /** The total, if it is known. */
  readonly total?: number | undefined
}

/** Quick exports finish before a notice could be read. */
const noticeAfterMs = 400
const reportEveryMs = 200

export function useExport(): (file: Export) => Promise<void> {
  const toasts = useToasts()
  return async (file) => {
    const abort = new AbortController()
    let description = 'Waiting for the first records'
    let notice: ReturnType<typeof toasts.running> | undefined
    const delay = setTimeout(() => {
      notice = toasts.running(`Exporting ${file.records}`, { cancel: () => abort.abort() })
      notice.report(description)
    }, noticeAfterMs)
    const reports = setInterval(() => notice?.report(description), reportEveryMs)
    try {
      const [response, { saveResponse }] = await Promise.all([
        fetchPath(file.address, { signal: abort.signal }),
        import('../ui/files/save-response.ts'),
      ])
      if (!response.ok) throw await failureOf(response)
      await saveResponse(response, {
        ...file,
        onProgress: (progress) => {
          description = describe(progress, file)
        },
      })
      if (notice !== undefined) toasts.done(`Exported ${file.records}`, { description })
    } catch (error) {
      if (abort.signal.aborted) toasts.done('Export cancelled')
      else
        toasts.fail(error instanceof TypeError ? new Error('The export was interrupted. Try again.') : error)
    } finally {
      clearTimeout(delay)
      clearInterval(reports)
      notice?.close()
    }
  }
}

function describe({ bytes, records }: Progress, { total, records: name }: Export): string {
  const size = formatBytes(bytes)
  if (records === undefined) return size
  // Records that arrived after the count are exported too.
  const count =
    total === undefined || records > total
      ? exactNumber(records)
      : `${exactNumber(records)} of ${exactNumber(total)}`
  return `${count} ${name}, ${size}`
}

async function failureOf(response: Response): Promise<RequestFailed> {
  const body = (await response.json().catch(() => ({}))) as { readonly error?: string }
  const requestId = response.headers.get('x-request-id') ?? undefined
  return new RequestFailed(response.status, body.error, { requestId })
}
