/** Notifies later modules of an event in an earlier one, which does not depend on them. */

export interface Signal<Event = void> {
  notify(event: Event): void
  subscribe(listener: (event: Event) => void): void
}

export function makeSignal<Event = void>(): Signal<Event> {
  const listeners: ((event: Event) => void)[] = []
  return {
    notify(event) {
      for (const listener of listeners) listener(event)
    },
    subscribe: (listener) => void listeners.push(listener),
  }
}
