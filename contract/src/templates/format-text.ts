import type { Value } from './jinja.ts'
import { createText, integerOf, type Limits, numberOf, numberText, textSize, toText } from './values.ts'

/** Python's `%` operator on text: `%s`, `%d`, `%.2f`, `%-5s`, `%(name)s`. */
export function formatPercent(
  text: string,
  args: readonly Value[],
  names: ReadonlyMap<string, Value>,
  limits: Limits,
): Value {
  let next = 0
  const formatted = text.replace(
    /%(?:\(([^)]*)\))?([-+ 0#]*)(\d*)(?:\.(\d+))?[hlL]?(.?)/gs,
    (directive, name, flags: string, width: string, precision, type: string) => {
      if (type === '%') return '%'
      if (!'sradiufFeEgGxXoc'.includes(type) || type === '')
        throw new Error(`\`${directive}\` is no format; write \`%%\` for a percent sign`)
      const value = name === undefined ? args[next++] : names.get(name)
      if (value === undefined) throw new Error(`\`${directive}\` of the format has no value`)
      return writeSpec(
        value,
        {
          fill: flags.includes('0') && !flags.includes('-') && !'sra'.includes(type) ? '0' : ' ',
          align: flags.includes('-') ? '<' : flags.includes('0') && !'sra'.includes(type) ? '=' : '>',
          sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '-',
          width: Number(width),
          grouping: '',
          precision: precision === undefined ? undefined : Number(precision),
          type: 'sra'.includes(type) ? 's' : 'iu'.includes(type) ? 'd' : type,
          isTruncating: true,
        },
        limits,
      )
    },
  )
  if (next < args.length && names.size === 0) throw new Error('the format has fewer places than values')
  limits.allow(formatted.length)
  return createText(formatted)
}

/** Python's `str.format`: `{}`, `{0}`, `{name}`, `{:.2f}`, `{:>10}`. */
export function formatBraces(
  text: string,
  args: readonly Value[],
  names: ReadonlyMap<string, Value>,
  limits: Limits,
): Value {
  let next = 0
  const formatted = text.replace(
    /\{\{|\}\}|\{([^{}:!]*)(?:![sra])?(?::([^{}]*))?\}|[{}]/g,
    (part, field: string | undefined, spec = '') => {
      if (part === '{{' || part === '}}') return part[0] as string
      if (field === undefined) throw new Error(`a single \`${part}\` stands in the format; write it twice`)
      const value = field === '' ? args[next++] : /^\d+$/.test(field) ? args[Number(field)] : names.get(field)
      if (value === undefined) throw new Error(`\`{${field}}\` of the format has no value`)
      return spec === '' ? plainText(value, limits) : writeSpec(value, readSpec(spec), limits)
    },
  )
  limits.allow(formatted.length)
  return createText(formatted)
}

interface Spec {
  readonly fill: string
  readonly align: string | undefined
  readonly sign: string
  readonly width: number
  readonly grouping: string
  readonly precision: number | undefined
  readonly type: string
  /** Whether `d` accepts a number with a fraction, as `%d` does. */
  readonly isTruncating: boolean
}

function readSpec(spec: string): Spec {
  const match = /^(?:(.)?([<>=^]))?([-+ ])?#?(0)?(\d*)([,_])?(?:\.(\d+))?([bcdeEfFgGosxX%])?$/su.exec(spec)
  if (!match) throw new Error(`\`${spec}\` is no format`)
  const [, fill, align, sign = '-', zero, width, grouping = '', precision, type = ''] = match
  return {
    fill: fill ?? (zero ? '0' : ' '),
    align: align ?? (zero ? '=' : undefined),
    sign,
    width: Number(width),
    grouping,
    precision: precision === undefined ? undefined : Number(precision),
    type,
    isTruncating: false,
  }
}

function plainText(value: Value, limits: Limits): string {
  limits.allow(textSize(value))
  return toText(value)
}

function writeSpec(value: Value, spec: Spec, limits: Limits): string {
  limits.allow(spec.width)
  const number = numberOf(value)
  const isTextual =
    spec.type === 's' || number === undefined || (spec.type === '' && value.type === 'BooleanValue')
  if (isTextual) {
    if (spec.type !== 's' && spec.type !== '') throw new Error(`a text has no format \`${spec.type}\``)
    const text = plainText(value, limits)
    return pad(spec.precision === undefined ? text : text.slice(0, spec.precision), '', {
      ...spec,
      align: spec.align ?? '<',
    })
  }
  if ((spec.precision ?? 0) > 100) throw new Error('a number has at most 100 digits behind the point')
  const isWhole = integerOf(value) !== undefined
  if ('bcdoxX'.includes(spec.type) && spec.type !== '' && !isWhole && !spec.isTruncating)
    throw new Error(`a number with a fraction has no format \`${spec.type}\``)
  const digits = group(writeNumber(Math.abs(number), spec, isWhole), spec.grouping)
  const isNegative = number < 0 || Object.is(number, -0)
  const sign = isNegative ? '-' : spec.sign === '-' ? '' : spec.sign
  return pad(digits, sign, { ...spec, align: spec.align ?? '>' })
}

function writeNumber(
  number: number,
  { type, precision = 6, precision: exact }: Spec,
  isWhole: boolean,
): string {
  switch (type) {
    case 'f':
    case 'F':
      return toFixed(number, precision)
    case '%':
      return `${toFixed(number * 100, precision)}%`
    case 'e':
    case 'E': {
      const text = number.toExponential(precision).replace(/e([-+])(\d)$/, 'e$10$2')
      return type === 'E' ? text.toUpperCase() : text
    }
    case 'g':
    case 'G':
      return writeGeneral(number, precision, type)
    case 'c':
      return String.fromCodePoint(number)
    case 'b':
      return number.toString(2)
    case 'o':
      return number.toString(8)
    case 'x':
    case 'X': {
      const text = Math.trunc(number).toString(16)
      return type === 'X' ? text.toUpperCase() : text
    }
    case 'd':
      return String(Math.trunc(number))
    default:
      if (exact !== undefined) return writeGeneral(number, exact, 'g')
      return numberText(number, !isWhole)
  }
}

function writeGeneral(number: number, precision: number, type: string): string {
  const significant = Math.max(1, precision)
  const text = number.toPrecision(significant)
  const exponent = number === 0 ? 0 : Number(number.toExponential(significant - 1).split('e')[1])
  const isScientific = exponent < -4 || exponent >= significant
  const long = isScientific
    ? number.toExponential(significant - 1)
    : text.includes('e')
      ? String(Number(text))
      : text
  const short = long.includes('.') ? long.replace(/\.?0+(e|$)/, '$1') : long
  const padded = short.replace(/e([-+])(\d)$/, 'e$10$2')
  return type === 'G' ? padded.toUpperCase() : padded
}

function group(text: string, separator: string): string {
  if (separator === '') return text
  const [whole = '', ...rest] = text.split(/(?=[.e%])/)
  return whole.replace(/\B(?=(?:\d{3})+$)/g, separator) + rest.join('')
}

function pad(text: string, sign: string, { fill, align, width }: Spec): string {
  const missing = Math.max(0, width - [...text].length - sign.length)
  if (align === '=') return sign + fill.repeat(missing) + text
  if (align === '<') return sign + text + fill.repeat(missing)
  if (align === '>') return fill.repeat(missing) + sign + text
  const left = Math.floor(missing / 2)
  return fill.repeat(left) + sign + text + fill.repeat(missing - left)
}

/** A number with fixed decimal places; ties round to even, as in Python. */
export function toFixed(number: number, precision: number): string {
  const text = number.toFixed(precision)
  const scaled = Math.abs(number) * 10 ** precision
  const isTie = scaled % 1 === 0.5 && Number.isInteger(Math.abs(number) * 2 ** (precision + 1))
  if (!isTie || Math.floor(scaled) % 2 === 1) return text
  return ((Math.sign(number) * Math.floor(scaled)) / 10 ** precision).toFixed(precision)
}

/** Centers a text in a width, as Python does. */
export function center(text: string, width: number, fill: string, limits: Limits): string {
  const missing = Math.max(0, width - [...text].length)
  limits.allow(missing + text.length)
  const left = Math.floor(missing / 2) + (missing & width & 1)
  return fill.repeat(left) + text + fill.repeat(missing - left)
}
