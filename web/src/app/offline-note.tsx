import { onlineManager } from '@tanstack/react-query'
import { RefreshCw, WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

/** The notice that data is not refreshed: without a network, or while the service does not respond. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  )
  if (isOnline) return null
  const Icon = navigator.onLine ? RefreshCw : WifiOff
  return (
    <p
      role="status"
      className="flex shrink-0 items-center justify-center gap-2 border-b border-line bg-warn-surface px-4 py-1.5 text-sm text-warn max-md:pl-14"
    >
      <Icon aria-hidden size={14} className="shrink-0" />
      {navigator.onLine
        ? 'Reconnecting… The service does not respond. This data may be out of date.'
        : 'You are offline. This data may be out of date; it refreshes when you are back online.'}
    </p>
  )
}
