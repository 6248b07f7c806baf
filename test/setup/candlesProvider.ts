import type { TestProject } from 'vitest/node'
import { DAY_MS } from '../../src/time.ts'
import { FAULTS, json, type Mode, serveProvider } from './provider.ts'

/**
 * A fake exchange. It answers like Kraken's `GET /public/OHLC` and Coinbase Exchange's `GET /products/{id}/candles`. The run's part of the
 * base address is followed by today, a day in milliseconds.
 */
export default function serveCandles(project: TestProject): Promise<() => void> {
  return serveProvider(
    project,
    'candles',
    () => 'all',
    (response, { url, path, mode }) => {
      const [, today = '', first] = path.split('/')
      const shape = first === 'public' ? kraken : coinbase
      const answer = ANSWERS[mode] ?? FAULTS[mode]
      if (answer) answer(response)
      else json(response, shape(url, bars(Number(today), BARS[mode] ?? ((all) => all)), mode))
    },
  )
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the fake exchange. */
    candles: string
  }
}

/** How many closed days the exchange has. */
const DAYS = 1000

interface Bar {
  day: number
  open: number | string
  high: number
  low: number
  close: number
  volume: number
}

/** Daily bars whose price is the number of days since 1970, so that each bar shows its day. High and low are 2 % away. */
function bars(today: number, change: (all: Bar[], today: number) => Bar[]): Bar[] {
  const all = Array.from({ length: DAYS + 1 }, (_, index) => {
    const day = today - (DAYS - index) * DAY_MS
    const price = day / DAY_MS
    return { day, open: price, high: price * 1.02, low: price * 0.98, close: price + 1, volume: 12.5 }
  })
  return change(all, today)
}

/** Modes that change the bars. Those that change one day change the third before today. */
const BARS: Readonly<Record<string, (all: Bar[], today: number) => Bar[]>> = {
  hole: (all, today) => all.filter(({ day }) => day !== today - 3 * DAY_MS),
  late: (all, today) => all.filter(({ day }) => day < today - DAY_MS),
  // An answer cached since yesterday evening: without today, and with yesterday not yet closed.
  stale: (all, today) =>
    all
      .filter(({ day }) => day < today)
      .map((bar) => (bar.day === today - DAY_MS ? { ...bar, close: bar.close - 2, volume: 7 } : bar)),
  twice: (all) => [...all, ...all.slice(-5)],
  contradicting: (all, today) => [
    ...all,
    ...all.filter(isThirdBefore(today)).map((bar) => ({ ...bar, close: bar.close - 1 })),
  ],
  mixed: (all) => all.toSorted((a, b) => ((a.day * 7) % 11) - ((b.day * 7) % 11)),
  negative: (all, today) => on(all, today, (bar) => ({ ...bar, low: -bar.low })),
  words: (all, today) => on(all, today, (bar) => ({ ...bar, open: 'NaN' })),
  impossible: (all, today) => on(all, today, (bar) => ({ ...bar, high: bar.low })),
  future: (all, today) => [...all, { ...(all.at(-1) as Bar), day: today + DAY_MS }],
  jumped: (all, today) => on(all, today, (bar) => ({ ...bar, high: bar.high * 10, close: bar.close * 10 })),
  wick: (all, today) => on(all, today, (bar) => ({ ...bar, low: bar.low / 100 })),
  opened: (all, today) =>
    all.map((bar) => (bar.day === today ? { ...bar, open: bar.close * 10, high: bar.high * 10 } : bar)),
  other: (all) =>
    all.map(({ day, open, high, low, close, volume }) => ({
      day,
      open: Number(open) / 30,
      high: high / 30,
      low: low / 30,
      close: close / 30,
      volume,
    })),
  changed: (all, today) => on(all, today, (bar) => ({ ...bar, close: bar.close + 2 })),
  odd: (all, today) => on(all, today, (bar) => ({ ...bar, day: bar.day + 3_600_000 })),
}

const isThirdBefore = (today: number) => (bar: Bar) => bar.day === today - 3 * DAY_MS

function on(all: Bar[], today: number, change: (bar: Bar) => Bar): Bar[] {
  return all.map((bar) => (isThirdBefore(today)(bar) ? change(bar) : bar))
}

function kraken(url: URL, all: Bar[], name: string) {
  const since = Number(url.searchParams.get('since')) * 1000
  const shown = name === 'mixed' ? all : all.slice(-720)
  const text = (value: number | string) => (typeof value === 'string' ? value : value.toFixed(5))
  return {
    error: [],
    result: {
      XXBTZUSD: shown
        .filter(({ day }) => day > since)
        .slice(0, 720)
        .map(({ day, open, high, low, close, volume }) => [
          day / 1000,
          text(open),
          text(high),
          text(low),
          text(close),
          text((high + low) / 2),
          text(volume),
          17,
        ]),
      last: 1,
    },
  }
}

function coinbase(url: URL, all: Bar[], name: string) {
  const [start = 0, end = 0] = ['start', 'end'].map((key) => Date.parse(url.searchParams.get(key) ?? ''))
  if ((end - start) / DAY_MS >= 300) return { message: 'granularity too small for the requested time range' }
  const shown = all.filter(({ day }) => day >= start - 2 * DAY_MS && day <= end)
  return (name === 'mixed' ? shown : shown.toReversed()).map(({ day, open, high, low, close, volume }) => [
    day / 1000,
    low,
    high,
    open,
    close,
    volume,
  ])
}

/** Modes that answer something other than bars. */
const ANSWERS: Readonly<Record<string, Mode>> = {
  busy: (response) => json(response, { error: ['EGeneral:Too many requests'] }),
  unknown: (response) => json(response, { error: ['EQuery:Unknown asset pair'] }),
  shape: (response) => json(response, { error: [], result: { XXBTZUSD: 'no list' } }),
  many: (response) =>
    json(
      response,
      Array.from({ length: 5000 }, () => [1]),
    ),
}
