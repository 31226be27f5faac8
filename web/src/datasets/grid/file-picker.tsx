import type { RefObject } from 'react'

interface FilePickerProps {
  readonly ref: RefObject<HTMLInputElement | null>
  readonly onPick: (file: File) => void
}

/** The system's file dialog for a cell. */
export const FilePicker = ({ ref, onPick }: FilePickerProps) => (
  <input
    ref={ref}
    type="file"
    aria-label="File for the cell"
    tabIndex={-1}
    hidden
    onChange={({ currentTarget }) => {
      const [file] = currentTarget.files ?? []
      if (file !== undefined) onPick(file)
      currentTarget.value = ''
    }}
  />
)
