/** The value of an image or file column: the key of a stored file, or a URL. */

import type { Operations } from '@plumbline/sdk'
import { FileText, ImageOff } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../app/api.ts'
import { fileAddress } from '../../ui/files/file-address.ts'
import { safeImage } from '../../ui/text/safe-address.ts'

const addressOf = (value: string): string =>
  /^[\w-]+$/.test(value) ? `/files/${encodeURIComponent(value)}` : value

interface FileValueProps {
  readonly value: string
  readonly isImage: boolean
  readonly isLarge?: boolean
}

/** A preview of an image, or a download link for a file. */
export function FileValue({ value, isImage, isLarge = false }: FileValueProps) {
  const [isBroken, setBroken] = useState(false)
  const address = addressOf(value)
  const image = isImage ? safeImage(address) : undefined
  if (image !== undefined && !isBroken)
    return (
      <img
        src={image}
        alt={value}
        onError={() => setBroken(true)}
        className={isLarge ? 'max-h-80 max-w-full rounded border border-line' : 'h-7 max-w-full rounded-sm'}
      />
    )
  const Icon = isImage ? ImageOff : FileText
  return (
    <span className="flex min-w-0 items-center gap-2 text-ink-2">
      <Icon aria-hidden size={14} className="shrink-0" />
      {isLarge && address.startsWith('/files/') ? (
        <a href={fileAddress(address)} download className="truncate text-accent-ink hover:underline">
          Download {value}
        </a>
      ) : (
        <span className="truncate font-mono text-xs">{value}</span>
      )}
    </span>
  )
}

/** Uploads a file; resolves to the key that a row stores. */
export async function uploadFile(client: Operations, file: File): Promise<string> {
  const contentType = file.type === '' ? 'application/octet-stream' : file.type
  const signed = await call(client, 'files.sign', {
    fileName: file.name === '' ? 'pasted' : file.name,
    contentType,
    sizeBytes: file.size,
  })
  const answer = await fetch(uploadAddress(signed.uploadUrl), {
    method: 'PUT',
    body: file,
    headers: { 'content-type': contentType },
  })
  if (!answer.ok) throw new Error(`The upload of ${file.name} failed with status ${answer.status}.`)
  return signed.fileKey
}

/**
 * The service may be reached under another host name than the one it signs for; the signature does not cover the
 * host.
 */
function uploadAddress(address: string): string {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}
