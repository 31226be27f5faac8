/** Copies a text, and confirms it in place. */
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'
import { copyText } from './copy-text.ts'
import { useToasts } from './overlay/toast.tsx'

interface CopyButtonProps {
  /** The text to copy, or a function that creates it on demand. */
  readonly text: string | (() => string)
  readonly label?: string
}

export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const toasts = useToasts()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    try {
      await copyText(typeof text === 'string' ? text : text())
      setCopied(true)
    } catch (error) {
      toasts.fail(error)
    }
  }
  return (
    <IconButton size="small" label={isCopied ? 'Copied' : label} onClick={() => void copy()}>
      {isCopied ? <Check aria-hidden size={14} className="text-good" /> : <Copy aria-hidden size={14} />}
    </IconButton>
  )
}
