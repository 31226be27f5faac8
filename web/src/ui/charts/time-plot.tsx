/**
 * Values over time, on uPlot: lines or stacked bars. Dragging selects a range, a click opens the records behind a point,
 * and the arrow keys walk through the points.
 */
// Must run before uPlot, which reads the language when it loads.
import '../text/legal-locale.ts'
import 'uplot/dist/uPlot.min.css'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import Plot, { type AlignedData, type Options } from 'uplot'
import { classNames } from '../class-names.ts'
import { formatCount, formatDuration, formatInstant, nothing, tickText } from '../text/format.ts'
import { useUtc } from '../text/values.tsx'
import { type ChartColor, type ChartSeries, colorToken, durationSteps, stack } from './chart-data.ts'
import { timeTick } from './time-tick.ts'

export interface TimePlotProps {
  /** Its accessible name. */
  readonly label: string
  /** The start of each bucket, ascending. */
  readonly times: readonly Date[]
  readonly series: readonly ChartSeries[]
  readonly kind: 'lines' | 'bars'
  readonly height?: number
  /** The minimum width of the value labels; 52 by default. */
  readonly labelsPx?: number
  readonly format?: (value: number) => string
  /** Dragging over the chart selects a range. */
  readonly onZoom?: (start: Date, end: Date) => void
  /** A click, or Enter, opens the records behind a bucket. */
  readonly onPick?: (time: Date) => void
  /** Without axes, for a strip above a list. */
  readonly isStrip?: boolean
  /** Thresholds to compare values with. */
  readonly levels?: readonly ChartLevel[]
  /** Highlighted intervals. */
  readonly bands?: readonly { readonly from: Date; readonly to: Date }[]
  /** Whether they are bad, or only selected. */
  readonly shadedTone?: 'bad' | 'chosen'
}

export interface ChartLevel {
  readonly value: number
  readonly color: ChartColor
}

interface PointerPosition {
  readonly index: number
  readonly leftPx: number
}

export function TimePlot(props: TimePlotProps) {
  const { label, times, series, kind, height = 160, format = formatCount, isStrip = false } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [hover, setPointed] = useState<PointerPosition>()
  const pressedAtPx = useRef(0)
  const [isUtc] = useUtc()
  const theme = useThemeName()

  const form = series.map(({ key, color }) => `${key} ${color ?? ''}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: The shape and the theme stand for their values.
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const chart = new Plot(
      optionsOf(latest, element.clientWidth, isUtc, {
        onPoint: setPointed,
        onZoom: (start, end) => latest.current.onZoom?.(start, end),
      }),
      dataOf(latest.current),
      element,
    )
    plot.current = chart
    const resizing = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    resizing.observe(element)
    return () => {
      resizing.disconnect()
      chart.destroy()
    }
  }, [form, kind, height, isStrip, isUtc, theme])
  // biome-ignore lint/correctness/useExhaustiveDependencies: New values are drawn on the same chart.
  useEffect(() => plot.current?.setData(dataOf(latest.current)), [times, series, props.levels, props.bands])

  const pick = (): void => {
    const time = hover && times[hover.index]
    if (time !== undefined) props.onPick?.(time)
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === 'Enter') pick()
    if (step === undefined || plot.current === undefined) return
    event.preventDefault()
    const index = Math.min(times.length - 1, Math.max(0, (hover?.index ?? -1) + step))
    const leftPx = plot.current.valToPos((times[index]?.getTime() ?? 0) / 1000, 'x')
    plot.current.setCursor({ left: leftPx, top: 0 })
    setPointed({ index, leftPx })
  }
  const time = hover && times[hover.index]
  return (
    <div
      role="img"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: The arrow keys walk through the points.
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={({ clientX }) => {
        pressedAtPx.current = clientX
      }}
      // The end of a drag is not a click.
      onClick={({ clientX }) => Math.abs(clientX - pressedAtPx.current) < 6 && pick()}
      onBlur={() => setPointed(undefined)}
      className={classNames('relative', props.onPick && 'cursor-pointer')}
    >
      <div ref={place} style={{ height }} />
      {time !== undefined && (
        <div
          className="floating pointer-events-none absolute top-0 z-10 min-w-32 px-2 py-1 text-xs"
          style={hover && sideOf(hover, place.current)}
        >
          <div className="mb-1 text-ink-3">{formatInstant(time, isUtc).slice(0, 16)}</div>
          {series.map(({ key, label: name, values, color }, index) => {
            const value = values[hover?.index ?? 0]
            return (
              <div key={key} className="flex items-center gap-2">
                <span
                  className="size-2 rounded-full"
                  style={{ background: `var(${colorToken(color, index)})` }}
                />
                <span className="flex-1">{name}</span>
                <span className="numbers">
                  {value === null || value === undefined ? nothing : format(value)}
                </span>
              </div>
            )
          })}
        </div>
      )}
    </div>
  )
}

/** Positioned beside the pointer, on the side with more room. */
const sideOf = ({ leftPx }: PointerPosition, element: HTMLElement | null) => {
  const widthPx = element?.clientWidth ?? 0
  return leftPx > widthPx / 2 ? { right: widthPx - leftPx + 12 } : { left: leftPx + 60 }
}

/** The name of the theme: a chart is redrawn when it changes. */
function useThemeName(): string | undefined {
  const [name, setName] = useState(document.documentElement.dataset.theme)
  useEffect(() => {
    const watching = new MutationObserver(() => setName(document.documentElement.dataset.theme))
    watching.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => watching.disconnect()
  }, [])
  return name
}

/** Stacks are drawn from the top: each series covers the ones below it. */
function dataOf({ times, series, kind }: TimePlotProps): AlignedData {
  const values = kind === 'bars' ? stack(series).reverse() : series.map(({ values }) => [...values])
  return [times.map((time) => time.getTime() / 1000), ...values]
}

/** The values that change without a new chart. */
type Latest = { readonly current: TimePlotProps }

interface Handlers {
  readonly onPoint: (point: PointerPosition | undefined) => void
  readonly onZoom: (start: Date, end: Date) => void
}

function optionsOf(latest: Latest, width: number, isUtc: boolean, handlers: Handlers): Options {
  const props = latest.current
  const { series, kind, height = 160, labelsPx = 52, format = formatCount, isStrip = false } = props
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(name).trim()
  const lines = series.map(({ label, color }, index) => {
    const cssColor = token(colorToken(color, index))
    return kind === 'bars'
      ? {
          label,
          fill: cssColor,
          width: 0,
          paths: Plot.paths.bars?.({ size: [0.8, 48], gap: 1 }),
          points: { show: false },
        }
      : { label, stroke: cssColor, width: 1.5, spanGaps: false, points: { size: 4, filter: lonePoints } }
  })
  const axis = {
    stroke: token('--ink-3'),
    font: `11px ${style.getPropertyValue('--font-sans') || 'Inter Variable, sans-serif'}`,
    ticks: { show: false },
    gap: 4,
  }
  return {
    width,
    height,
    series: [{}, ...(kind === 'bars' ? lines.reverse() : lines)],
    legend: { show: false },
    // The labels of the first and the last tick are centred on them: without room they would be clipped.
    padding: isStrip ? [4, 20, 0, 20] : [8, 20, 0, 0],
    ...(isUtc && { tzDate: (seconds: number) => Plot.tzDate(new Date(seconds * 1000), 'UTC') }),
    scales: {
      // Zero is always in view: a truncated axis would exaggerate differences.
      y: {
        range: (_plot, _min, max) => {
          const most = Math.max(max, ...(latest.current.levels ?? []).map(({ value }) => value))
          return [0, most > 0 ? most * 1.08 : 1]
        },
      },
      // Half a bucket of padding on each side, so that the first and the last bar are not clipped.
      x: { range: (plot, min, max) => roomFor(plot, min, max, kind) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        space: 72,
        values: (_plot, seconds, _axis, _space, stepSeconds) =>
          seconds.map((second) => timeTick(new Date(second * 1000), new Date(), isUtc, stepSeconds)),
      },
      {
        ...axis,
        show: !isStrip,
        size: (plot, labels) => Math.max(labelsPx, longestPx(plot, labels ?? [], axis.font) + 2 * axis.gap),
        ...(format === formatDuration && { incrs: [...durationSteps] }),
        grid: { stroke: token('--line'), width: 1 },
        values: (_plot, values) => values.map((value) => (value === null ? '' : tickText(format(value)))),
      },
    ],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false, dist: 6 },
      points: { show: kind === 'lines' },
    },
    hooks: hooksOf(latest, token, handlers),
  }
}

/** The width of the longest label of an axis. */
function longestPx({ ctx }: Plot, labels: readonly string[], font: string): number {
  ctx.save()
  ctx.font = font
  const widths = labels.map((label) => ctx.measureText(label).width)
  ctx.restore()
  return Math.ceil(Math.max(0, ...widths))
}

/** The layers below and above the series, and the pointer handling. */
function hooksOf(
  latest: Latest,
  token: (name: string) => string,
  { onPoint, onZoom }: Handlers,
): Options['hooks'] {
  return {
    drawClear: [
      (plot) =>
        drawShaded(
          plot,
          latest.current.bands ?? [],
          token(latest.current.shadedTone === 'chosen' ? '--selected' : '--bad-surface'),
        ),
    ],
    draw: [
      (plot) => {
        for (const { value, color } of latest.current.levels ?? [])
          drawLevel(plot, value, token(colorToken(color, 0)))
      },
    ],
    setCursor: [
      ({ cursor: { idx, left } }) =>
        onPoint(
          idx === null || idx === undefined || left === undefined || left < 0
            ? undefined
            : { index: idx, leftPx: left },
        ),
    ],
    setSelect: [
      (plot) => {
        const { left, width: selected } = plot.select
        if (selected < 6) return
        const timeAt = (px: number): Date => new Date(plot.posToVal(px, 'x') * 1000)
        onZoom(timeAt(left), timeAt(left + selected))
        plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
      },
    ],
  }
}

function drawShaded(plot: Plot, stretches: NonNullable<TimePlotProps['bands']>, fill: string): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.fillStyle = fill
  for (const { from, to } of stretches) {
    const left = plot.valToPos(from.getTime() / 1000, 'x', true)
    const right = plot.valToPos(to.getTime() / 1000, 'x', true)
    // Short intervals stay visible too.
    ctx.fillRect(left, bbox.top, Math.max(right - left, 2 * devicePixelRatio), bbox.height)
  }
  ctx.restore()
}

function drawLevel(plot: Plot, value: number, stroke: string): void {
  const { ctx, bbox } = plot
  const top = Math.round(plot.valToPos(value, 'y', true))
  ctx.save()
  ctx.strokeStyle = stroke
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, top)
  ctx.lineTo(bbox.left + bbox.width, top)
  ctx.stroke()
  ctx.restore()
}

/** If points are too dense to be drawn, isolated ones are still drawn, since no line shows them. */
function lonePoints(plot: Plot, seriesIndex: number, areAllShown: boolean): number[] | null {
  if (areAllShown) return null
  const values = plot.data[seriesIndex] ?? []
  const isThere = (index: number): boolean => values[index] !== null && values[index] !== undefined
  return Array.from(values.keys()).filter(
    (index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1),
  )
}

function roomFor(plot: Plot, min: number, max: number, kind: TimePlotProps['kind']): [number, number] {
  const times = plot.data[0]
  const step = times.length > 1 ? (times[1] ?? 0) - (times[0] ?? 0) : 3600
  return kind === 'bars' ? [min - step / 2, max + step / 2] : [min, max]
}
