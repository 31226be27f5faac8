import { type Logger, pino } from 'pino'

/** Lines that could not be written wait in memory for the next one; more of them are dropped. */
const unwrittenBytesMax = 1024 * 1024

/**
 * Writes diagnostics at once. Where that fails, such as on a full disk, whoever logs goes on: what a service says of
 * itself is worth less than what it does.
 */
export function makeLogger(level: string, descriptor: number): Logger {
  const destination = pino.destination({ dest: descriptor, sync: true, maxLength: unwrittenBytesMax })
  destination.on('error', () => {})
  return pino({ level, base: null }, destination)
}
