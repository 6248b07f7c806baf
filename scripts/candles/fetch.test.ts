import { describe, expect, it, test } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { calm, candlesDesk, FIRST, line, lines, NOW } from '../../test/support/candles.ts'

/** `NOW`'s day, counted from the first. */
const TODAY = 335

/** A row of the API: prices as text, with an average price before the volume. */
function row(day: number, close: number, changes: Record<number, unknown> = {}): unknown[] {
  const [time, ...cells] = line(day, close).split(',')
  const fields = [Number(time), ...cells.slice(0, 4), '0', cells[4], Number(cells[5])]
  return Object.assign(fields, changes)
}

const rows = (from: number, to: number, close = 100) =>
  Array.from({ length: to - from + 1 }, (_, index) => row(from + index, close))

const answer = (all: unknown) => Response.json({ error: [], result: { XXBTZUSD: all, last: 1 } })

/** Prices that end five days ago, and an API that gives these answers; the last one again and again. */
async function fetching(...answers: (() => Response | Promise<Response>)[]) {
  const asked: string[] = []
  const shown: string[] = []
  const desk = candlesDesk({
    fetch: async (url) => {
      const give = answers[Math.min(asked.length, answers.length - 1)]
      asked.push(String(url))
      return give?.() ?? Response.error()
    },
    progress: (what) => shown.push(what),
  })
  await desk.load(lines(calm(40), TODAY - 44))
  desk.printed()
  return { ...desk, asked, shown, last: () => desk.list().files[0].lastDay as string }
}

describe('a fetch', () => {
  it('continues a file up to yesterday, requests a week again, and changes nothing the second time', async () => {
    const desk = await fetching(() => answer(rows(TODAY - 12, TODAY)))
    expect(await desk.run('fetch', 'XBTUSD')).toBe(true)
    const since = (FIRST + (TODAY - 12) * DAY_MS) / 1000 - 1
    expect(desk.asked).toEqual([`https://kraken.test/0/public/OHLC?pair=XBTUSD&interval=1440&since=${since}`])
    expect(desk.last()).toBe('2024-11-30')
    expect(desk.list().files[0].sources.at(-1)).toEqual({
      name: 'GET /0/public/OHLC',
      bars: 4,
      firstDay: '2024-11-27',
      lastDay: '2024-11-30',
    })
    expect(desk.printed()).toContain('XBTUSD: 4 new bars, 8 known.')
    const before = desk.files()
    expect(await desk.run('fetch')).toBe(true)
    expect(desk.files()).toEqual(before)
    expect(desk.shown).toContain('Asking Kraken for XBTUSD')
  })

  it('is one source with the fetch before it', async () => {
    const desk = await fetching(
      () => answer(rows(TODAY - 12, TODAY - 2)),
      () => answer(rows(TODAY - 12, TODAY)),
    )
    await desk.run('fetch')
    await desk.run('fetch')
    expect(desk.list().files[0].sources.slice(1)).toEqual([
      { name: 'GET /0/public/OHLC', bars: 4, firstDay: '2024-11-27', lastDay: '2024-11-30' },
    ])
  })

  it('gives the same bytes as an import', async () => {
    const desk = await fetching(() =>
      answer([...rows(TODAY - 8, TODAY - 2), row(TODAY - 1, 3000), row(TODAY, 3000)]),
    )
    await desk.run('fetch')
    const whole = candlesDesk()
    await whole.load([...lines(calm(43), TODAY - 44), line(TODAY - 1, 3000)])
    const { 'files.json': _, ...prices } = desk.files()
    const { 'files.json': __, ...expected } = whole.files()
    expect(prices).toEqual(expected)
    expect(desk.read('XBTUSD.doubtful.csv')).toContain('unconfirmed jump')
  })

  it('does not take yesterday’s bar while today is not there yet', async () => {
    const desk = await fetching(() => answer(rows(TODAY - 8, TODAY - 1)))
    await desk.run('fetch')
    expect(desk.last()).toBe('2024-11-29')
  })

  it('stores doubtful rows separately, but not today’s', async () => {
    const desk = await fetching(() =>
      answer([
        ...rows(TODAY - 8, TODAY - 1),
        row(TODAY, 100, { 3: '-1' }),
        'odd',
        row(TODAY - 9, 1, { 2: null }),
      ]),
    )
    expect(await desk.run('fetch')).toBe(true)
    expect(desk.last()).toBe('2024-11-30')
    expect(desk.read('XBTUSD.doubtful.csv').split('\n').slice(1, -1)).toEqual([
      '"""odd""",,,,,,malformed line',
      '2024-11-22,1,null,0.99,1,10000,price is not a number',
    ])
  })

  it('names missing days if the API begins too late, and changes nothing', async () => {
    const desk = await fetching(() => answer(rows(TODAY - 2, TODAY)))
    const before = desk.files()
    expect(await desk.run('fetch')).toBe(false)
    expect(desk.files()).toEqual(before)
    expect(desk.printed()).toBe(
      'XBTUSD: Kraken’s API begins with 2024-11-29, and XBTUSD.csv ends with 2024-11-26. Missing: 2024-11-27, 2024-11-28. Import a newer download first. Nothing of XBTUSD.csv was changed.',
    )
  })

  it('continues if the API begins with the next day', async () => {
    const desk = await fetching(() => answer(rows(TODAY - 4, TODAY)))
    expect(await desk.run('fetch')).toBe(true)
    expect(desk.last()).toBe('2024-11-30')
  })

  it('refuses other prices for a stored day unless it is accepted', async () => {
    const desk = await fetching(() => answer([row(TODAY - 5, 101), ...rows(TODAY - 4, TODAY)]))
    expect(await desk.run('fetch')).toBe(false)
    expect(desk.last()).toBe('2024-11-26')
    expect(desk.printed()).toContain('--accept-revisions 2024-11-26')
    expect(await desk.run('fetch', 'XBTUSD', '--accept-revisions', '2024-11-26')).toBe(true)
    expect(desk.list().files[0].revisions).toHaveLength(1)
  })

  it('requests pairs one by one with a pause, and continues after a failure', async () => {
    const desk = await fetching(
      () => answer(rows(TODAY - 2, TODAY)),
      () => answer(rows(TODAY - 5, TODAY, 5)),
    )
    await desk.run('import', 'kraken', desk.save(lines(Array(40).fill(5), TODAY - 44), 'SOLUSD_1440.csv'))
    expect(await desk.run('fetch')).toBe(false)
    expect(desk.asked.map((url) => new URL(url).searchParams.get('pair'))).toEqual(['XBTUSD', 'SOLUSD'])
    expect(desk.slept).toEqual([2000])
    expect(desk.list().files.map(({ lastDay }: { lastDay: string }) => lastDay)).toEqual([
      '2024-11-26',
      '2024-11-30',
    ])
  })

  const good = () => answer(rows(TODAY - 5, TODAY))
  test.each<[string, () => Response | Promise<Response>, number]>([
    ['too many requests', () => Response.json({ error: ['EGeneral:Too many requests'] }), 60_000],
    ['429 with a time', () => new Response('', { status: 429, headers: { 'Retry-After': '17' } }), 17_000],
    ['503', () => new Response('', { status: 503 }), 5000],
    ['no connection', () => Promise.reject(new TypeError('fetch failed')), 5000],
    ['something other than JSON', () => new Response('<html>'), 5000],
    ['no rows', () => Response.json({ error: [], result: { last: 1 } }), 5000],
  ])('pauses and asks again after %s', async (_name, bad, pauseMs) => {
    const desk = await fetching(bad, good)
    expect(await desk.run('fetch')).toBe(true)
    expect(desk.slept).toEqual([pauseMs])
    expect(desk.last()).toBe('2024-11-30')
  })

  it('gives up after five tries, and changes nothing', async () => {
    const desk = await fetching(() => new Response('', { status: 503 }))
    const before = desk.files()
    expect(await desk.run('fetch')).toBe(false)
    expect(desk.slept).toEqual([5000, 10_000, 20_000, 40_000])
    expect(desk.printed()).toBe('XBTUSD: Kraken answered 503. Nothing of XBTUSD.csv was changed.')
    expect(desk.files()).toEqual(before)
  })

  it('refuses an empty answer, and a pair without prices', async () => {
    const desk = await fetching(() => answer([]))
    expect(await desk.run('fetch', 'XBTUSD', 'ETHUSD')).toBe(false)
    expect(desk.printed()).toContain('XBTUSD: Kraken returned no bars.')
    expect(await desk.run('fetch', 'ETHUSD')).toBe(false)
    expect(desk.printed()).toContain('ETHUSD: There are no prices yet: import a download first.')
    await expect(desk.run('fetch', 'DOGEUSD')).rejects.toThrow('DOGEUSD is not a pair that we have prices of')
    expect(NOW).toBe(FIRST + (TODAY + 0.5) * DAY_MS)
  })
})
