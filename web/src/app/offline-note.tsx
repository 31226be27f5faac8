import { onlineManager } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

/** Says that nothing new comes while the browser has no network; what is there stays, and goes on by itself later. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  )
  if (isOnline) return null
  return (
    <p
      role="status"
      className="flex shrink-0 items-center justify-center gap-2 border-b border-line bg-warn-surface px-4 py-1.5 text-sm text-warn max-md:pl-14"
    >
      <WifiOff aria-hidden size={14} className="shrink-0" />
      You are offline. This data may be out of date; it refreshes when you are back online.
    </p>
  )
}
