/** Filters a list while typing. */
import { Search } from 'lucide-react'
import { Input } from './field.tsx'

interface SearchBoxProps {
  /** Its accessible name, and its placeholder. */
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

export const SearchBox = ({ label, value, onChange }: SearchBoxProps) => (
  <span className="relative flex items-center">
    <Search aria-hidden size={14} className="absolute left-2 text-ink-3" />
    <Input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-7 w-full pl-7"
    />
  </span>
)
