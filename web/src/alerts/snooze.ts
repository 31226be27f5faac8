/** How long an alert can be snoozed. */
import type { MenuItem } from '../ui/overlay/menu.tsx'

const hourMs = 3_600_000
const stretches = [
  { label: 'For an hour', ms: hourMs },
  { label: 'For 8 hours', ms: 8 * hourMs },
  { label: 'For a day', ms: 24 * hourMs },
  { label: 'For a week', ms: 168 * hourMs },
] as const

interface Snoozing {
  readonly isMuted: boolean
  /** Null ends the snooze. */
  readonly onMute: (mutedUntil: string | null) => void
}

export const snoozeItems = ({ isMuted, onMute }: Snoozing): readonly MenuItem[] => [
  ...stretches.map(({ label, ms }) => ({
    label,
    onSelect: () => onMute(new Date(Date.now() + ms).toISOString()),
  })),
  ...(isMuted ? [{ label: 'End snooze', startsGroup: true, onSelect: () => onMute(null) }] : []),
]
