import { type ChartColor, colorToken, sparkPath } from './chart-data.ts'

interface SparklineProps {
  readonly values: readonly (number | null)[]
  /** Its accessible name. */
  readonly label: string
  readonly color?: ChartColor
  readonly width?: number
  readonly height?: number
}

/** A line without axes, for a table row. */
export function Sparkline({ values, label, color = 1, width = 80, height = 20 }: SparklineProps) {
  return (
    <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>{label}</title>
      <path
        d={sparkPath(values, width, height)}
        fill="none"
        stroke={`var(${colorToken(color, 0)})`}
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </svg>
  )
}
