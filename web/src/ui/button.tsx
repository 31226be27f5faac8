/** Buttons. One primary button on a screen at most; the rest are plain or quiet. */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Tooltip } from './overlay/tooltip.tsx'

export type Look = 'primary' | 'plain' | 'quiet' | 'danger'

const looks: Readonly<Record<Look, string>> = {
  primary: 'border-accent bg-accent text-on-accent hover:bg-accent-hover hover:border-accent-hover',
  plain: 'border-line-strong bg-surface text-ink hover:bg-hover',
  quiet: 'border-transparent bg-transparent text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border-line-strong bg-surface text-bad hover:border-bad hover:bg-bad-surface',
}

const sizes = {
  small: 'h-7 gap-1 px-2 text-xs',
  normal: 'h-8 gap-2 px-3 text-sm',
  smallSquare: 'size-7',
  square: 'size-8',
} as const

/** The classes of a button, for links that look like one. */
export const buttonClass = (look: Look = 'plain', size: keyof typeof sizes = 'normal'): string =>
  classNames(
    'inline-flex shrink-0 items-center [&_svg]:shrink-0 justify-center rounded border font-medium whitespace-nowrap transition-colors select-none',
    'disabled:opacity-50 aria-disabled:opacity-50',
    looks[look],
    sizes[size],
  )

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: Look
  readonly size?: keyof typeof sizes
  /** While the action is running, the button cannot be pressed again. */
  readonly isBusy?: boolean
  readonly icon?: ReactNode
}

export function Button({
  look,
  size,
  isBusy = false,
  icon,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // Keeps the focus while it is busy; `disabled` would take it.
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? ignorePress : onClick}
      className={classNames(buttonClass(look, size), className)}
    >
      {icon}
      {children}
    </button>
  )
}

/** A submit button would submit its form. */
const ignorePress = (event: MouseEvent): void => event.preventDefault()

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'size'> {
  /** Its accessible name and its tooltip. */
  readonly label: string
  readonly children: ReactNode
  /** The equivalent shortcut. */
  readonly keys?: string
  readonly size?: 'small' | 'normal'
}

export function IconButton({ label, keys, look = 'quiet', size = 'normal', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} keys={keys}>
      <Button aria-label={label} look={look} size={size === 'small' ? 'smallSquare' : 'square'} {...rest} />
    </Tooltip>
  )
}
