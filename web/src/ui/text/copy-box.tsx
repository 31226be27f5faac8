/** A text to copy: shown in full, selected by one click, with a copy button. */
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { CopyButton } from '../copy-button.tsx'

interface CopyBoxProps {
  readonly text: string
  readonly label: string
  /** Shown instead of the copied text, if they differ. */
  readonly children?: ReactNode
  /** Keeps line breaks, and breaks between words. */
  readonly isCommand?: boolean
}

export function CopyBox({ text, label, children = text, isCommand = false }: CopyBoxProps) {
  return (
    <div className="flex items-start gap-2 rounded border border-line bg-sunken p-2">
      <code
        className={classNames(
          'min-w-0 flex-1 self-center font-mono text-xs select-all',
          isCommand ? 'break-words whitespace-pre-wrap' : 'break-all',
        )}
      >
        {children}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  )
}
