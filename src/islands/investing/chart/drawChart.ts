import {
  AreaSeries,
  BaselineSeries,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  createChart,
  type DeepPartial,
  type IChartApi,
  type ISeriesPrimitive,
  LineSeries,
  LineStyle,
  type Logical,
  PriceScaleMode,
  TickMarkType,
} from 'lightweight-charts'
import { formatDay } from '../../../contract/dates.ts'
import { formatUsd } from '../../../contract/money.ts'
import { type ChartCourse, formatPercent, getUnder, isHeldOut, placeMarks } from './chartCourse.ts'

/** A drawn chart. */
export interface DrawnChart {
  /** Highlights a day, counted from 0, or none. */
  mark: (index: number | null) => void
  /** Shows the last `days` days, or all. */
  show: (days: number | null) => void
  remove: () => void
}

/**
 * Draws a course with lightweight-charts: the values above; below them the drawdown, or gains and losses around a zero
 * line. It follows the theme and the size of its container, leaves scrolling to the page, and scrolls kinetically only
 * without reduced motion.
 *
 * @param onPoint receives the day under the pointer, null once it has left
 */
export function drawChart(
  place: HTMLElement,
  course: ChartCourse,
  onPoint: (index: number | null) => void,
): DrawnChart {
  const chart = createChart(place, {
    autoSize: true,
    // The logo is inserted as HTML, which the page's security policy blocks. The legend has the link instead.
    layout: { attributionLogo: false, fontFamily: getComputedStyle(place).fontFamily, fontSize: 12 },
    crosshair: { mode: CrosshairMode.Magnet, horzLine: { visible: false, labelVisible: false } },
    rightPriceScale: {
      borderVisible: false,
      entireTextOnly: true,
      mode: course.scale === 'ratio' ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal,
    },
    timeScale: {
      borderVisible: false,
      fixLeftEdge: true,
      fixRightEdge: true,
      minBarSpacing: 0.05,
      // A bare day number would be unclear beside years and months.
      tickMarkFormatter: (day: unknown, kind: TickMarkType) =>
        kind === TickMarkType.DayOfMonth ? formatDay(String(day), String(day)) : null,
    },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
    kineticScroll: { touch: !matchMedia('(prefers-reduced-motion: reduce)').matches },
    localization: { locale: 'en-US', timeFormatter: (day: unknown) => formatDay(String(day)) },
  })
  const points = (values: readonly (number | null)[]) =>
    course.days.map((time, index) => {
      const value = values[index]
      return value === null || value === undefined ? { time } : { time, value }
    })
  const quiet = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false }
  const usd = { type: 'custom', minMove: 0.01, formatter: (value: number) => formatWholeUsd(value) } as const

  const heldOut = chart.addSeries(AreaSeries, {
    ...quiet,
    priceScaleId: 'heldOut',
    lineVisible: false,
    autoscaleInfoProvider: () => ({ priceRange: { minValue: 0, maxValue: 1 } }),
  })
  heldOut.priceScale().applyOptions({ scaleMargins: { top: 0, bottom: 0 }, visible: false })
  heldOut.setData(points(course.days.map((_, index) => (isHeldOut(course, index) ? 1 : null))))

  const beside = (course.beside ?? []).map(({ worth, isDashed }, index) => {
    const line = chart.addSeries(LineSeries, {
      ...quiet,
      lineWidth: 1,
      lineStyle: (isDashed ?? index > 0) ? LineStyle.Dashed : LineStyle.Solid,
      priceFormat: usd,
    })
    line.setData(points(worth))
    return line
  })
  const worth = chart.addSeries(LineSeries, {
    ...quiet,
    crosshairMarkerVisible: true,
    lineWidth: 2,
    priceFormat: usd,
  })
  worth.setData(points(course.worth))
  const isGains = 'gains' in course
  const under = chart.addSeries(
    BaselineSeries,
    {
      ...quiet,
      baseValue: { type: 'price', price: 0 },
      lineWidth: 1,
      priceFormat: isGains
        ? usd
        : { type: 'custom', minMove: 0.001, formatter: (share: number) => formatPercent(share) },
    },
    1,
  )
  const { values } = getUnder(course)
  under.setData(points(isGains ? values : values.map((fall) => -fall)))
  under.priceScale().applyOptions({
    mode: PriceScaleMode.Normal,
    scaleMargins: { top: isGains ? 0.1 : 0, bottom: 0.1 },
    entireTextOnly: true,
  })
  // Falls start at the line between the panes; gains need their own zero line.
  const water = isGains
    ? under.createPriceLine({ price: 0, lineWidth: 1, lineStyle: LineStyle.Solid, axisLabelVisible: false })
    : null
  const [above, below] = chart.panes()
  const marks = createMarks(chart, course)
  // A primitive of the pane would be drawn under the shaded period.
  worth.attachPrimitive(marks)
  above?.setStretchFactor(3)
  below?.setStretchFactor(1)

  const applyColours = () => {
    const colour = createColourReader(place)
    chart.applyOptions(createChartOptions(colour, isGains ? '--line' : '--ink'))
    heldOut.applyOptions({ topColor: colour('--sunken', 0.8), bottomColor: colour('--sunken', 0.8) })
    for (const line of beside) line.applyOptions({ color: colour('--ink-soft') })
    worth.applyOptions({ color: colour('--gain') })
    marks.colour = colour('--ink-soft')
    const [gain, loss] = [isGains ? colour('--gain', 0.3) : 'transparent', colour('--loss', 0.3)]
    under.applyOptions({ topLineColor: colour(isGains ? '--gain' : '--loss'), topFillColor1: gain })
    under.applyOptions({ topFillColor2: gain, bottomLineColor: colour('--loss') })
    under.applyOptions({ bottomFillColor1: loss, bottomFillColor2: loss })
    water?.applyOptions({ color: colour('--ink') })
  }
  applyColours()
  chart.timeScale().fitContent()
  chart.subscribeCrosshairMove(({ logical, point }) => {
    const isDay = point !== undefined && logical !== undefined && course.days[logical] !== undefined
    onPoint(isDay ? logical : null)
  })
  const stopFollowing = followTheme(applyColours)

  return {
    mark: (index) => {
      const [day, value] = index === null ? [] : [course.days[index], course.worth[index]]
      if (day === undefined || value === undefined) chart.clearCrosshairPosition()
      else chart.setCrosshairPosition(value, day, worth)
    },
    show: (days) => {
      const to = course.days.length - 1
      if (days === null) chart.timeScale().fitContent()
      else chart.timeScale().setVisibleLogicalRange({ from: Math.max(0, to - days), to })
    },
    remove: () => {
      stopFollowing()
      chart.remove()
    },
  }
}

/** The course's marks as upright lines, with their words along them. */
function createMarks(
  chart: IChartApi,
  { days, marks = [] }: ChartCourse,
): ISeriesPrimitive & { colour: string } {
  const { fontFamily, fontSize } = chart.options().layout
  const listLines = (width: number) =>
    marks.flatMap(({ day, words }) => {
      const index = days.findIndex((candidate) => candidate >= day)
      const x = index < 0 ? null : chart.timeScale().logicalToCoordinate(index as Logical)
      return x === null || x < 0 || x > width ? [] : [{ x, words }]
    })
  const drawMarks = (context: CanvasRenderingContext2D, width: number, height: number) => {
    context.font = `${fontSize}px ${fontFamily}`
    context.fillStyle = primitive.colour
    context.textBaseline = 'middle'
    const lines = listLines(width).map((line) => ({ ...line, length: context.measureText(line.words).width }))
    const space = fontSize + 2 * MARK_GAP
    for (const [index, { isLeft, top }] of placeMarks(lines, space, width).entries()) {
      const { x, words } = lines[index] ?? { x: 0, words: '' }
      context.fillRect(Math.round(x), 0, 1, height)
      context.save()
      context.translate(x + (isLeft ? -space / 2 : space / 2), top + MARK_GAP)
      context.rotate(Math.PI / 2)
      context.fillText(words, 0, 0)
      context.restore()
    }
  }
  const primitive: ISeriesPrimitive & { colour: string } = {
    colour: 'gray',
    paneViews: () => [
      {
        zOrder: () => 'top',
        renderer: () => ({
          draw: (target) =>
            target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) =>
              drawMarks(context, width, height),
            ),
        }),
      },
    ],
  }
  return primitive
}

const MARK_GAP = 4

function createChartOptions(colour: Colours, separator: '--line' | '--ink'): DeepPartial<ChartOptions> {
  const line = { color: colour('--line') }
  return {
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: colour('--ink-soft'),
      // The zero line of falls: values above it, drawdown below.
      panes: {
        separatorColor: colour(separator),
        separatorHoverColor: colour(separator),
        enableResize: false,
      },
    },
    grid: { vertLines: { visible: false }, horzLines: line },
    crosshair: { vertLine: { color: colour('--ink-soft'), labelBackgroundColor: colour('--ink') } },
  }
}

type Colours = (token: `--${string}`, opacity?: number) => string

/**
 * The theme's colours in a form the library parses. It does not support oklch(), so each is painted on a pixel and read
 * back.
 */
function createColourReader(place: HTMLElement): Colours {
  const probe = document.createElement('span')
  place.appendChild(probe)
  const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const read = new Map<string, string>()
  queueMicrotask(() => probe.remove())
  return (token, opacity = 1) => {
    const known = read.get(`${token}/${opacity}`)
    if (known !== undefined || pixel === null) return known ?? 'gray'
    probe.style.color = `var(${token})`
    pixel.clearRect(0, 0, 1, 1)
    pixel.fillStyle = getComputedStyle(probe).color
    pixel.fillRect(0, 0, 1, 1)
    const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data
    const colour = `rgba(${red},${green},${blue},${opacity})`
    read.set(`${token}/${opacity}`, colour)
    return colour
  }
}

/** Calls back when the theme changes, by the switch or by the system. Returns a function that stops. */
function followTheme(changed: () => void): () => void {
  const bySwitch = new MutationObserver(changed)
  bySwitch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const bySystem = matchMedia('(prefers-color-scheme: dark)')
  bySystem.addEventListener('change', changed)
  return () => {
    bySwitch.disconnect()
    bySystem.removeEventListener('change', changed)
  }
}

function formatWholeUsd(usd: number): string {
  return formatUsd(usd)
    .replace(/\.\d\d$/, '')
    .replace('-', '−')
}
