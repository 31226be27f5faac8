/** The hours, days, weeks and months of a time zone, as the service uses them for counts and metrics. */
export {
  type BucketWidth,
  bucketEnd,
  bucketStart,
  bucketStarts,
  bucketWidths,
} from '@plumbline/contract/time-buckets'
export { isTimeZone } from '@plumbline/contract/time-zone'
