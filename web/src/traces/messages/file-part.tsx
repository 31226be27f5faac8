import { Download, Paperclip } from 'lucide-react'
import { useMemo } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { downloadBytes } from '../../ui/files/download.ts'
import { formatBytes } from '../../ui/text/format.ts'
import { bytesIn, safeFile, safeMedia } from '../../ui/text/safe-file.ts'

interface FilePartProps {
  readonly name: string | undefined
  readonly mediaType: string | undefined
  readonly address?: string
}

/**
 * A file in a message: audio and video are played, others are downloads or links; a file that is only referenced
 * shows its name.
 */
export function FilePart({ name = 'A file', mediaType, address }: FilePartProps) {
  const media = safeMedia(address, mediaType)
  const link = safeFile(address)
  const bytes = useMemo(() => bytesIn(address), [address])
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="flex h-6 items-center gap-2 text-sm text-ink-2">
        <Paperclip aria-hidden size={14} className="shrink-0" />
        {link === undefined ? (
          <span dir="auto" className="min-w-0 truncate">
            {name}
          </span>
        ) : (
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="min-w-0 truncate text-accent-ink underline"
          >
            {name}
          </a>
        )}
        {mediaType !== undefined && <span className="shrink-0 text-xs text-ink-3">{mediaType}</span>}
        {bytes !== undefined && (
          <>
            <span className="shrink-0 text-xs text-ink-3">{formatBytes(bytes.length)}</span>
            <IconButton label={`Save ${name}`} size="small" onClick={() => downloadBytes(name, bytes)}>
              <Download aria-hidden size={14} />
            </IconButton>
          </>
        )}
      </p>
      {media?.type === 'audio' && (
        // biome-ignore lint/a11y/useMediaCaption: Recorded media have no captions.
        <audio
          controls
          preload="metadata"
          src={media.address}
          aria-label={name}
          className="h-10 w-full max-w-md"
        />
      )}
      {media?.type === 'video' && (
        // biome-ignore lint/a11y/useMediaCaption: Recorded media have no captions.
        <video
          controls
          preload="metadata"
          src={media.address}
          aria-label={name}
          className="max-h-96 max-w-full"
        />
      )}
    </div>
  )
}
