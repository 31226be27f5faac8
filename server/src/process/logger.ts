import { type Logger, pino } from 'pino'

/** Lines that could not be written wait in memory for the next write; beyond this limit they are dropped. */
const unwrittenBytesMax = 1024 * 1024

/**
 * Writes diagnostics synchronously. If that fails, for example on a full disk, the service continues: its work matters more
 * than its log.
 */
export function makeLogger(level: string, descriptor: number): Logger {
  const destination = pino.destination({ dest: descriptor, sync: true, maxLength: unwrittenBytesMax })
  destination.on('error', () => {})
  return pino({ level, base: null }, destination)
}
