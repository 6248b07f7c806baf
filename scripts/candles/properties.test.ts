import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { randomRuns } from '../../test/random.ts'
import { deskIn, line } from '../../test/support/candles.ts'

/** A day of a download: no bar, one, a repeated one, two contradictory ones, or an odd one. */
const day = fc.oneof(
  { weight: 2, arbitrary: fc.constant('missing' as const) },
  { weight: 90, arbitrary: fc.constant('bar' as const) },
  { weight: 15, arbitrary: fc.constantFrom('spike', 'fall', 'level') },
  { weight: 3, arbitrary: fc.constantFrom('twice', 'contradicting', 'impossible', 'malformed') },
)

/** The lines of each day. A level stays, a spike and a fall do not. Markets with many coins a day become liquid. */
const download = fc
  .record({
    // Bars in a row, so that the market may begin to count.
    calmDays: fc.constantFrom(0, 32, 40),
    days: fc.array(day, { minLength: 20, maxLength: 50 }),
    volume: fc.constantFrom(10, 5000, 100_000),
    noise: fc.infiniteStream(fc.integer({ min: -300, max: 300 })),
  })
  .map(({ calmDays, days, volume, noise }) => {
    let level = 100
    return [...Array<'bar'>(calmDays).fill('bar'), ...days].map((kind, index) => {
      if (kind === 'level') level *= level > 100 ? 0.3 : 3
      const factor = kind === 'spike' ? 4 : kind === 'fall' ? 0.2 : 1 + (noise.next().value ?? 0) / 1000
      const whole = line(index, Number((level * factor).toPrecision(7)), { volume: volume * (1 + index / 7) })
      if (kind === 'missing') return []
      if (kind === 'twice') return [whole, whole]
      if (kind === 'contradicting') return [whole, line(index, 42)]
      if (kind === 'impossible') return [line(index, 100, { low: 101 })]
      return kind === 'malformed' ? [`${whole},`] : [whole]
    })
  })

/** Overlapping pieces of so many days, in any order, cut at hundredths of its length. */
const pieces = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.nat({ max: 12 })), {
    minLength: 1,
    maxLength: 5,
  })
  .chain((cuts) =>
    fc.record({
      cuts: fc.constant(cuts),
      order: fc.shuffledSubarray([...Array(cuts.length + 1).keys()], { minLength: cuts.length + 1 }),
    }),
  )

it('pieces of a download in any order give the same bytes as the whole, and repeating changes nothing', async () => {
  const root = mkdtempSync(join(tmpdir(), 'platform-candles-test-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const seen = { reordered: 0, spike: 0, unconfirmed: 0, taken: 0 }
  await fc.assert(
    fc.asyncProperty(download, pieces, async (days, { cuts, order }) => {
      const [whole, split] = [deskIn(root), deskIn(root)]
      fc.pre(await whole.load(days.flat()))
      const starts = cuts.map(([share]) => Math.floor((share / 100) * days.length)).sort((a, b) => a - b)
      const parts = [0, ...starts].map((from, index) =>
        days.slice(from, (starts[index] ?? days.length) + (cuts[index]?.[1] ?? 0)).flat(),
      )
      const texts = order.map((index) => parts[index] ?? [])
      // A piece without any bar is refused as a whole.
      fc.pre((await Promise.all(texts.map((text) => deskIn(root).load(text)))).every(Boolean))
      for (const text of texts) expect(await split.load(text)).toBe(true)
      const { 'files.json': _, ...prices } = whole.files()
      expect(split.files()).toMatchObject(prices)
      expect(Object.keys(split.files())).toEqual(Object.keys(whole.files()))
      expect({ ...split.list().files[0], sources: [] }).toEqual({ ...whole.list().files[0], sources: [] })
      const apart = prices['XBTUSD.doubtful.csv'] ?? ''
      if (order.some((part, index) => part !== index)) seen.reordered++
      if (apart.includes('spike')) seen.spike++
      if (apart.includes('unconfirmed')) seen.unconfirmed++
      if (split.printed().includes('Taken out')) seen.taken++

      const before = split.files()
      for (const text of texts) expect(await split.load(text)).toBe(true)
      expect(split.files()).toEqual(before)
      expect(await split.run('check')).toBe(true)
    }),
    randomRuns(100),
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(3)
})
