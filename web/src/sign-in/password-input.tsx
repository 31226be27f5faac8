/** A password field with a show button, and a warning while Caps Lock is on. */
import { type KeyboardEvent, useState } from 'react'
import { Input } from '../ui/form/field.tsx'

interface PasswordInputProps {
  readonly name: string
  readonly autoComplete: string
}

export function PasswordInput({ name, autoComplete }: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  const [isCapsLock, setCapsLock] = useState(false)
  const readCapsLock = (event: KeyboardEvent<HTMLElement>): void =>
    setCapsLock(event.getModifierState('CapsLock'))
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: It only reads the Caps Lock state from the field's key events. */}
      <div
        className="relative"
        onKeyDown={readCapsLock}
        onKeyUp={readCapsLock}
        onBlur={() => setCapsLock(false)}
      >
        <Input
          name={name}
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          required
          className="pr-14"
        />
        {/* After the field in tab order, and not triggered by Enter, which submits the form. */}
        <button
          type="button"
          aria-pressed={isShown}
          title={isShown ? 'Hide what you type' : 'Show what you type'}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-1 right-1 rounded-sm px-2 text-xs font-medium text-ink-2 hover:bg-hover"
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
      <p role="status" className="text-xs text-warn empty:hidden">
        {isCapsLock ? 'Caps Lock is on.' : ''}
      </p>
    </>
  )
}
