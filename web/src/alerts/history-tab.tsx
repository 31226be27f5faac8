import { EventList } from './event-list.tsx'

/** The history of all alerts. */
export function HistoryTab() {
  return (
    <div className="h-full overflow-auto">
      <EventList />
    </div>
  )
}
