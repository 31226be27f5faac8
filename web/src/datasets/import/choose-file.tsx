import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'

/** A drop zone with a button to choose a file. */
export function ChooseFile({ onChoose }: { readonly onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Dropping is an alternative to the button.
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined) onChoose(file)
      }}
      className={classNames(
        'flex flex-col items-center gap-3 rounded border border-dashed px-4 py-12 text-center',
        isOver ? 'border-accent bg-selected' : 'border-line-strong bg-sunken',
      )}
    >
      <FileUp aria-hidden size={20} className="text-ink-3" />
      <p className="text-sm text-ink-2">Drop a file here</p>
      <Button onClick={() => input.current?.click()}>Choose a file</Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to import"
        accept=".csv,.tsv,.json,.jsonl,.ndjson,.parquet"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file !== undefined) onChoose(file)
        }}
      />
    </div>
  )
}
