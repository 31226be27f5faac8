import type { StoredLog } from '@plumbline/sdk'
import { exactNumber } from '../../../ui/text/format.ts'

export type Bucket = keyof NonNullable<StoredLog['usage']>

export const bucketNames: Readonly<Record<Bucket, string>> = {
  freshInput: 'Uncached input',
  cacheRead: 'Cache read',
  cacheWrite: 'Cache write',
  textOutput: 'Output',
  reasoning: 'Reasoning',
  audioInput: 'Uncached audio input',
  imageInput: 'Uncached image input',
  cacheReadAudio: 'Cache read, audio',
  cacheReadImage: 'Cache read, images',
  cacheWriteHour: 'Cache write, one hour',
  audioOutput: 'Audio output',
  imageOutput: 'Image output',
}

interface UsageDetailProps {
  readonly usage: NonNullable<StoredLog['usage']>
  readonly isEstimate: boolean
}

/** The tokens of a generation, bucket by bucket. */
export function UsageDetail({ usage, isEstimate }: UsageDetailProps) {
  // Safe: an object has the keys of its type.
  const buckets = (Object.entries(usage) as [Bucket, number][]).filter(([, tokens]) => tokens > 0)
  return (
    <span className="flex flex-col gap-1">
      <span className="grid grid-cols-[1fr_auto] gap-x-4">
        {buckets.map(([bucket, tokens]) => (
          <span key={bucket} className="contents">
            <span className="text-ink-2">{bucketNames[bucket] ?? bucket}</span>
            <span className="numbers text-right">{exactNumber(tokens)}</span>
          </span>
        ))}
      </span>
      {isEstimate && <span className="text-warn">Counted by Plumbline, because none were reported.</span>}
    </span>
  )
}
