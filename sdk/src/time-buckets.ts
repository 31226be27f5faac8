/** The hours, days, weeks and months of a time zone, as the service counts figures in them. */
export {
  type BucketWidth,
  bucketEnd,
  bucketStart,
  bucketStarts,
  bucketWidths,
} from '@plumbline/contract/time-buckets'
export { isTimeZone } from '@plumbline/contract/time-zone'
