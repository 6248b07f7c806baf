import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { DAY_MS } from '../../src/time.ts'

/**
 * A fake exchange for tests inside workerd. It answers like Kraken's `GET /public/OHLC` and Coinbase Exchange's
 * `GET /products/{id}/candles`. The base address chooses how: under `http://127.0.0.1:PORT/<mode>[,<mode>…]/<run>/<today>` the first
 * call gets the first mode, the next one the second, and all further ones the last. `today` is a day in milliseconds.
 * `GET /asked/<run>` returns the calls of a run.
 */
export default async function serveCandles(project: TestProject): Promise<() => void> {
  const asked = new Map<string, string[]>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [, modes = '', run = '', today = '', ...rest] = url.pathname.split('/')
    const calls = asked.get(run) ?? []
    if (modes === 'asked') {
      json(response, calls)
      return
    }
    const order = modes.split(',')
    const name = order[Math.min(calls.length, order.length - 1)] ?? 'good'
    calls.push(`/${rest.join('/')}${url.search}`)
    asked.set(run, calls)
    const shape = rest[0] === 'public' ? kraken : coinbase
    const answer = ANSWERS[name]
    if (answer) answer(response)
    else json(response, shape(url, bars(Number(today), BARS[name] ?? ((all) => all)), name))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  project.provide('candles', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () => {
    server.closeAllConnections()
    server.close()
  }
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
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  down: (response) => end(response, 500, 'text/plain', 'boom'),
  limited: (response) => {
    response.setHeader('Retry-After', '1800')
    end(response, 429, 'application/json', '{"message":"Public rate limit exceeded"}')
  },
  busy: (response) => json(response, { error: ['EGeneral:Too many requests'] }),
  unknown: (response) => json(response, { error: ['EQuery:Unknown asset pair'] }),
  html: (response) => end(response, 200, 'text/html', '<!doctype html><script>alert(1)</script>'),
  broken: (response) => end(response, 200, 'application/json', '[[1,2'),
  nothing: (response) => json(response, null),
  shape: (response) => json(response, { error: [], result: { XXBTZUSD: 'no list' } }),
  huge: (response) => json(response, ['x'.repeat(4_000_000)]),
  many: (response) =>
    json(
      response,
      Array.from({ length: 5000 }, () => [1]),
    ),
  elsewhere: (response) => {
    response.setHeader('Location', 'https://elsewhere.example/')
    end(response, 302, 'application/json', '[]')
  },
  trickle: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.write('[')
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
  cut: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
    response.write('[')
    setTimeout(() => response.destroy(), 20)
  },
}

function json(response: ServerResponse, body: unknown): void {
  end(response, 200, 'application/json', JSON.stringify(body))
}

function end(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': type })
  response.end(body)
}
