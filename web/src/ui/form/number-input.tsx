/** A number field that accepts common formats. */
import { type ComponentProps, useState } from 'react'
import { Input } from './field.tsx'
import { readNumber, writeNumber } from './numbers.ts'

interface NumberInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
  readonly scale?: number | undefined
}

/** Keeps the text as typed: `1.` is already a number, on the way to `1.5`. */
export function NumberInput({ value, onChange, scale = 1, ...input }: NumberInputProps) {
  const [text, setText] = useState('')
  const isOwn = Object.is(readNumber(text, scale), value)
  return (
    <Input
      inputMode="decimal"
      {...input}
      value={isOwn ? text : writeNumber(value, scale)}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        onChange(readNumber(currentTarget.value, scale))
      }}
    />
  )
}
