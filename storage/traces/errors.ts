/** The engine cannot be reached or cannot work now: the same call can succeed later. */
export class TraceStoreAway extends Error {
  override name = 'TraceStoreAway'
}
