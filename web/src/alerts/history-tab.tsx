import { EventList } from './event-list.tsx'

/** What has happened to all alerts. */
export function HistoryTab() {
  return (
    <div className="h-full overflow-auto">
      <EventList />
    </div>
  )
}
