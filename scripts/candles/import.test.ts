import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { calm, candlesDesk, line, lines } from '../../test/support/candles.ts'
import { hashSha256 } from './list.ts'

describe('an import', () => {
  it('writes dates, the download’s prices and volumes of six digits, and describes them', async () => {
    const desk = candlesDesk()
    const text =
      '1704067200,3.0,3.00001,2.9990,3.0,123.93056831,4\n1704153600,0.0000012,4.0,0.0000012,2,0.1,1\n'
    expect(await desk.load(text)).toBe(true)
    const csv =
      'time,open,high,low,close,volume\n2024-01-01,3,3.00001,2.999,3,123.931\n2024-01-02,0.0000012,4,0.0000012,2,0.1\n'
    expect(desk.read('XBTUSD.csv')).toBe(csv)
    const days = { bars: 2, firstDay: '2024-01-01', lastDay: '2024-01-02' }
    expect(desk.read('files.json')).toBe(
      `${JSON.stringify(
        {
          venue: 'Kraken',
          quote: 'USD',
          interval: '1 day (UTC)',
          source: 'https://support.kraken.com/hc/en-us/articles/360047124832',
          files: [
            {
              asset: 'bitcoin',
              pair: 'XBTUSD',
              file: 'XBTUSD.csv',
              sha256: hashSha256(csv),
              ...days,
              missingDays: [],
              marketBegins: null,
              sources: [{ name: 'XBTUSD_1440.csv', sha256: hashSha256(text), ...days }],
            },
          ],
        },
        null,
        2,
      )}\n`,
    )
    expect(Object.keys(desk.files())).toEqual(['XBTUSD.csv', 'files.json'])
  })

  it('a repeated import changes nothing', async () => {
    const desk = candlesDesk()
    const text = [...lines([...calm(35), 300]), 'nonsense']
    await desk.load(text)
    const before = desk.files()
    desk.printed()
    expect(await desk.load(text)).toBe(true)
    expect(desk.files()).toEqual(before)
    expect(desk.printed()).toContain('0 new bars, 35 known.')
  })

  it('prepends, appends and fills days, and lists each download once', async () => {
    const [whole, pieces] = [candlesDesk(), candlesDesk()]
    const all = lines(calm(50))
    await whole.load(all)
    for (const [from, to] of [
      [20, 30],
      [40, 50],
      [5, 25],
      [0, 10],
      [28, 42],
      [0, 10],
    ] as const)
      expect(await pieces.load(all.slice(from, to))).toBe(true)
    expect(pieces.read('XBTUSD.csv')).toBe(whole.read('XBTUSD.csv'))
    expect(pieces.list().files[0].sources).toHaveLength(5)
    expect(pieces.list().files[0].marketBegins).toBe('2024-01-31')
    expect(pieces.list().files[0].missingDays).toEqual([])
  })

  it('reports missing days, at the seams too, jumps, extreme wicks and duplicates', async () => {
    const desk = candlesDesk()
    await desk.load(lines([100, 101]))
    desk.printed()
    const text = [
      line(3, 100),
      line(4, 140),
      line(4, 140),
      line(5, 141, { high: 290 }),
      line(6, 142, { low: 60 }),
      line(20, 143),
    ]
    expect(await desk.load(text)).toBe(true)
    expect(desk.printed()).toBe(
      `XBTUSD_1440.csv: 5 new bars, 0 known.
  Missing days: 2024-01-03, 2024-01-08 to 2024-01-20 (13 days)
  Jumps over 35 %: 2024-01-05 +40 %
  Extreme highs and lows: 2024-01-06 high 290 (close 141), 2024-01-07 low 60 (close 142)
  Identical duplicates dropped: 1
  XBTUSD.csv now has 7 bars, 2024-01-01 to 2024-01-21.`,
    )
    expect(desk.list().files[0].missingDays).toHaveLength(14)
  })

  it('leaves out an unfinished day', async () => {
    const desk = candlesDesk({ now: () => Date.UTC(2024, 0, 3, 23) })
    await desk.load(lines(calm(3)))
    expect(desk.list().files[0].lastDay).toBe('2024-01-02')
    expect(desk.printed()).toContain('Today’s bar is not finished and was left out.')
  })

  it('shows its progress', async () => {
    const shown: [string, number | undefined][] = []
    const desk = candlesDesk({ progress: (what, share) => shown.push([what, share]) })
    await desk.load(lines([1, 2]))
    expect(shown).toEqual([
      ['Reading XBTUSD_1440.csv', undefined],
      ['Reading XBTUSD_1440.csv', 1],
    ])
  })
})

describe('a doubtful bar', () => {
  test.each([
    ['low above open or close', line(1, 100, { low: 100.5 })],
    ['high below open or close', line(1, 100, { high: 99.5 })],
    ['price is 0 or less', line(1, 100, { low: 0 })],
    ['price is 0 or less', line(1, 100, { low: -1 })],
    ['volume below 0', line(1, 100, { volume: -0.1 })],
    ['price is not a number', line(1, 100, { open: 'NaN' })],
    ['price is not a number', line(1, 100, { open: '' })],
    ['price is not a number', line(1, 100, { high: '1e999' })],
    ['volume is not a number', line(1, 100, { volume: 'x' })],
    ['time is not 00:00 UTC', line(1 + 1 / 24, 100)],
    ['day in the future', line(400, 100)],
    ['malformed line', `${line(1, 100)},7`],
    ['malformed line', line(1, 100, { time: '2024-01-02' })],
    ['malformed line', ''],
    ['malformed line', 'a "quoted, text"'],
  ])('(%s) is kept apart: %s', async (reason, odd) => {
    const desk = candlesDesk()
    const text = [line(0, 100), odd, line(2, 100)]
    expect(await desk.load(text)).toBe(true)
    expect(desk.list().files[0].bars).toBe(2)
    const doubtful = desk.read('XBTUSD.doubtful.csv').split('\n')
    expect(doubtful).toHaveLength(3)
    expect(doubtful[0]).toBe('time,open,high,low,close,volume,reason')
    expect(doubtful[1]).toMatch(new RegExp(`,${reason}$`))
    expect(desk.printed()).toContain('Kept apart in XBTUSD.doubtful.csv: 1')
    const before = desk.files()
    await desk.load(text)
    expect(desk.files()).toEqual(before)
  })

  it('is each of two that contradict each other', async () => {
    const desk = candlesDesk()
    await desk.load([line(0, 100), line(1, 100), line(1, 101), line(1, 101), line(2, 100)])
    expect(desk.list().files[0].missingDays).toEqual(['2024-01-02'])
    expect(desk.read('XBTUSD.doubtful.csv').match(/2024-01-02,.*contradictory duplicate/g)).toHaveLength(2)
  })

  const jump = 'unconfirmed jump'
  test.each([
    ['just over half up', [150.1], jump],
    ['just over half down', [49.9], jump],
    ['just half up', [150], null],
    ['just half down', [50], null],
    ['confirmed', [180, 140.1], null],
    ['taken back', [300, 149], 'spike'],
    ['halfway between both levels', [180, 140], 'spike'],
    ['confirmed by a further jump', [300, 900, 800], null],
    ['confirmed down', [40, 60], null],
    ['taken back down', [40, 80], 'spike'],
  ])('is a bar that jumps by more than half: %s', async (_name, closes, reason) => {
    const desk = candlesDesk()
    await desk.load(lines([...calm(40), ...closes]))
    if (reason === null) {
      expect(desk.list().files[0].bars).toBe(40 + closes.length)
      expect(Object.keys(desk.files())).toEqual(['XBTUSD.csv', 'files.json'])
    } else {
      expect(desk.read('XBTUSD.doubtful.csv').split('\n')[1]).toMatch(
        new RegExp(`^2024-02-10,${closes[0]},.*,${reason}$`),
      )
      expect(desk.list().files[0].bars).toBe(40 + closes.length - 1)
    }
  })

  // Cardano at Binance from 2025-02-24 on: open, high, low, close, volume. It was traded at this price on every venue.
  const CARDANO = [
    ['0.7698', '0.7774', '0.67', '0.6816', '187852768.2'],
    ['0.6816', '0.695', '0.6302', '0.6832', '314619948.7'],
    ['0.6832', '0.6954', '0.6312', '0.6474', '188683060.2'],
    ['0.6475', '0.6798', '0.6263', '0.6451', '119338095.8'],
    ['0.6451', '0.6466', '0.5801', '0.6328', '258110432.8'],
    ['0.6328', '0.677', '0.6252', '0.6593', '101845318.3'],
    ['0.6593', '1.1488', '0.645', '1.135', '1462027409.9'],
    ['1.1349', '1.1747', '0.8228', '0.8578', '1410346466.6'],
    ['0.8577', '0.9562', '0.7576', '0.9409', '1103033777.6'],
  ] as const
  const cardano = [
    ...lines(calm(40).map((price) => price / 130)).map((text) => text.replace(/,10000,/, ',200000000,')),
    ...CARDANO.map(([open, high, low, close, volume], day) =>
      line(40 + day, Number(close), { open, high, low, volume }),
    ),
  ]
  const CONFIRMED = ['--confirm-jumps', '2024-02-16', '--second-source', 'Coinbase ADA-USD']

  it('is no jump that a second source confirms and that had an ordinary volume, though it half returned', async () => {
    const desk = candlesDesk()
    await desk.load(cardano)
    expect(desk.read('XBTUSD.doubtful.csv')).toContain(
      '2024-02-16,0.6593,1.1488,0.645,1.135,1462030000,spike',
    )
    desk.printed()
    expect(await desk.load(cardano, ...CONFIRMED)).toBe(true)
    expect(desk.printed()).toContain('Jumps confirmed by a second source: 2024-02-16 (Coinbase ADA-USD)')
    expect(desk.read('XBTUSD.csv')).toContain('2024-02-16,0.6593,1.1488,0.645,1.135,1462030000')
    expect(desk.list().files[0].confirmedJumps).toEqual([
      { day: '2024-02-16', secondSource: 'Coinbase ADA-USD' },
    ])
    expect(Object.keys(desk.files())).toEqual(['XBTUSD.csv', 'files.json'])
    // A later import knows it.
    const before = desk.files()
    await desk.load(cardano)
    expect(desk.files()).toEqual(before)
    expect(await desk.run('check')).toBe(true)
  })

  it('stays apart with little volume, and when another day was confirmed', async () => {
    const thin = cardano.map((text) => text.replace(',1462027409.9,', ',90000000,'))
    for (const [text, days] of [
      [thin, '2024-02-16'],
      [cardano, '2024-02-15'],
    ] as const) {
      const desk = candlesDesk()
      await desk.load(text, '--confirm-jumps', days, '--second-source', 'Coinbase ADA-USD')
      expect(desk.read('XBTUSD.doubtful.csv')).toMatch(/2024-02-16,.*,spike/)
    }
  })

  it('needs the name of the second source', async () => {
    const desk = candlesDesk()
    for (const args of [CONFIRMED.slice(0, 2), CONFIRMED.slice(2)])
      await expect(desk.load(cardano, ...args)).rejects.toThrow(
        '--confirm-jumps and --second-source go together',
      )
  })

  it('a jump in a thin market is ordinary', async () => {
    const desk = candlesDesk()
    await desk.load(lines([...calm(20), 1000, ...calm(9), 1000]))
    // The 31st bar is the first that counts, and its jump is still one from the thin market.
    expect(desk.list().files[0]).toMatchObject({ bars: 31, marketBegins: '2024-01-31' })
    await desk.load(lines([100], 31))
    expect(desk.read('XBTUSD.doubtful.csv')).toContain('2024-02-01,100,101,99,100,10000,unconfirmed jump')
  })

  it('is merged as soon as a later bar confirms it', async () => {
    const [desk, whole] = [candlesDesk(), candlesDesk()]
    await desk.load(lines([...calm(40), 300]))
    expect(desk.list().files[0].lastDay).toBe('2024-02-09')
    desk.printed()
    await desk.load(lines([290], 41))
    expect(desk.printed()).toContain('Confirmed and no longer kept apart: 2024-02-10')
    await whole.load(lines([...calm(40), 300, 290]))
    expect(desk.read('XBTUSD.csv')).toBe(whole.read('XBTUSD.csv'))
    expect(Object.keys(desk.files())).toEqual(['XBTUSD.csv', 'files.json'])
  })

  it('stays on record when a later download corrects it', async () => {
    const desk = candlesDesk()
    await desk.load(lines([...calm(40), 300]))
    expect(await desk.load(lines([101, 102], 40))).toBe(true)
    expect(desk.read('XBTUSD.csv')).toContain('2024-02-10,101,')
    expect(desk.read('XBTUSD.doubtful.csv')).toContain('2024-02-10,300,303,297,300,10000,corrected by')
  })

  it('is taken out of the file when earlier days show that it jumped', async () => {
    const desk = candlesDesk()
    await desk.load(lines([100, 100, 300, 100], 38))
    expect(desk.list().files[0].bars).toBe(4)
    desk.printed()
    await desk.load(lines(calm(39)))
    expect(desk.printed()).toContain('Taken out, since other days now show a jump: 2024-02-10')
    expect(desk.list().files[0].missingDays).toEqual(['2024-02-10'])
  })
})

describe('a revision', () => {
  it('a revision is listed with both bars, leaves its file unchanged, and other files continue', async () => {
    const desk = candlesDesk()
    await desk.load(lines([100, 101, 102]))
    const before = desk.read('XBTUSD.csv')
    desk.printed()
    const revised = desk.save([line(1, 101, { high: 103 }), line(2, 99), ...lines([100], 3)])
    const other = desk.save(lines([5, 6]), 'ADAUSD_1440.csv')
    expect(await desk.run('import', 'kraken', revised, other)).toBe(false)
    expect(desk.read('XBTUSD.csv')).toBe(before)
    expect(desk.list().files.map(({ pair, bars }: { pair: string; bars: number }) => [pair, bars])).toEqual([
      ['XBTUSD', 3],
      ['ADAUSD', 2],
    ])
    expect(
      desk.printed(),
    ).toContain(`XBTUSD_1440.csv: 2 stored days would change. Nothing of XBTUSD.csv was changed.
    2024-01-02  stored O 101 H 102.01 L 99.99 C 101  received O 101 H 103 L 99.99 C 101
    2024-01-03  stored O 102 H 103.02 L 100.98 C 102  received O 99 H 99.99 L 98.01 C 99
  Find out why. If the new prices are right: --accept-revisions 2024-01-02,2024-01-03`)
  })

  it('is accepted for exactly the named days, and recorded', async () => {
    const desk = candlesDesk()
    await desk.load(lines([100, 101, 102]))
    const before = desk.files()
    const text = lines([100, 105, 106, 107])
    expect(await desk.load(text, '--accept-revisions', '2024-01-02')).toBe(false)
    expect(desk.files()).toEqual(before)
    expect(await desk.load(text, '--accept-revisions', '2024-01-02,2024-01-03')).toBe(true)
    expect(desk.read('XBTUSD.csv').match(/,10[0-9],10000$/gm)).toEqual([
      ',100,10000',
      ',105,10000',
      ',106,10000',
      ',107,10000',
    ])
    const revisions = [
      { day: '2024-01-02', oldClose: 101, newClose: 105, importedOn: '2024-12-01' },
      { day: '2024-01-03', oldClose: 102, newClose: 106, importedOn: '2024-12-01' },
    ]
    expect(desk.list().files[0].revisions).toEqual(revisions)
    expect(Object.keys(desk.list().files[0]).at(-1)).toBe('revisions')
    desk.printed()
    const after = desk.files()
    expect(await desk.load(text, '--accept-revisions', '2024-01-02')).toBe(true)
    expect(desk.printed()).toContain('Not revised, so there was nothing to accept: 2024-01-02')
    expect(desk.files()).toEqual(after)
    // The older download now has the other prices.
    expect(await desk.load(lines([100, 101, 102]))).toBe(false)
  })

  it('is no other volume: it is reported, and the stored one stays', async () => {
    const desk = candlesDesk()
    await desk.load([line(0, 100, { volume: 1.23456789 }), line(1, 100)])
    const before = desk.read('XBTUSD.csv')
    desk.printed()
    await desk.load([line(0, 100, { volume: 1.234571 }), line(1, 100)])
    expect(desk.printed()).not.toContain('volumes')
    await desk.load([line(0, 100, { volume: 1.2346 }), line(1, 100, { volume: 5 })])
    expect(desk.printed()).toContain(
      'Other volumes (the stored ones stay): 2024-01-01 1.23457 → 1.2346, 2024-01-02 10000 → 5',
    )
    expect(desk.read('XBTUSD.csv')).toBe(before)
  })

  test.each(['2024-02-30', 'yesterday', '2024-01-02,', ''])('takes days, not "%s"', async (days) => {
    const desk = candlesDesk()
    await expect(desk.load(lines([1]), '--accept-revisions', days)).rejects.toThrow(
      '--accept-revisions takes days like 2024-01-03,2024-01-04',
    )
  })

  it('is accepted for one file at a time', async () => {
    const desk = candlesDesk()
    const paths = [desk.save(lines([1])), desk.save(lines([1]), 'ADAUSD_1440.csv')]
    await expect(desk.run('import', 'kraken', ...paths, '--accept-revisions', '2024-01-01')).rejects.toThrow(
      'one file or pair at a time',
    )
  })
})

describe('a file is refused, and nothing changes:', () => {
  test.each([
    ['DOGEUSD_1440.csv', 'DOGEUSD is not a pair that we have prices of: XBTUSD, ETHUSD, XRPUSD'],
    ['bitcoin.csv', 'is not named like the daily files of Kraken, for example XBTUSD_1440.csv'],
    ['XBTUSD_60.csv', 'has bars of 60 minutes: only daily files are imported'],
  ])('%s', async (name, message) => {
    const desk = candlesDesk()
    const good = desk.save(lines([1]))
    const bad = desk.save(lines([1]), name)
    await expect(desk.run('import', 'kraken', good, bad)).rejects.toThrow(message)
    expect(desk.files()).toEqual({})
  })

  it('an empty, huge or missing one, or a directory', async () => {
    const desk = candlesDesk()
    const path = desk.save('')
    await expect(desk.run('import', 'kraken', path)).rejects.toThrow(`${path} is empty.`)
    truncateSync(path, 20 * 1024 * 1024 + 1)
    await expect(desk.run('import', 'kraken', path)).rejects.toThrow('is larger than 20 MB')
    await expect(desk.run('import', 'kraken', `${path}x`)).rejects.toThrow('does not exist.')
    const folder = join(desk.directory, 'ADAUSD_1440.csv')
    mkdirSync(folder)
    await expect(desk.run('import', 'kraken', folder)).rejects.toThrow('is not a file')
  })

  it('one without daily bars, or with more other lines than bars', async () => {
    const desk = candlesDesk()
    const hourly = Array.from({ length: 240 }, (_, hour) => line(hour / 24, 100))
    for (const text of ['PK\u0003\u0004', hourly]) {
      expect(await desk.load(text)).toBe(false)
      expect(desk.printed()).toContain('is not a file of daily bars')
    }
    expect(desk.files()).toEqual({})
  })

  it('one of a pair whose stored file was edited by hand', async () => {
    const desk = candlesDesk()
    await desk.load(lines([100, 101]))
    writeFileSync(join(desk.directory, 'XBTUSD.csv'), desk.read('XBTUSD.csv').replace('101', '102'))
    const before = desk.files()
    expect(await desk.load(lines([100, 101, 102]))).toBe(false)
    expect(desk.printed()).toContain('is not as files.json describes it')
    expect(desk.files()).toEqual(before)
  })
})

describe('an interrupted import', () => {
  /** The files after the first of two imports and after both. */
  async function twoImports() {
    const desk = candlesDesk()
    await desk.load(lines(calm(40)))
    const before = desk.files()
    const text = [...lines([105, ...calm(40)]), 'odd']
    const args = ['--accept-revisions', '2024-01-01']
    await desk.load(text, ...args)
    return { desk, before, after: desk.files(), again: () => desk.load(text, ...args) }
  }

  it('is undone if nothing was renamed yet, and completed otherwise', async () => {
    const { desk, before, after, again } = await twoImports()
    const names = ['XBTUSD.csv', 'XBTUSD.doubtful.csv', 'files.json']
    const put = (name: string, text = '') => writeFileSync(join(desk.directory, name), text)
    for (let renamed = 0; renamed < names.length; renamed++) {
      desk.reset(before)
      for (const [index, name] of names.entries()) put(index < renamed ? name : `${name}.new`, after[name])
      expect(await again()).toBe(true)
      expect(desk.files()).toEqual(after)
    }
    // It was interrupted while writing aside.
    desk.reset(before)
    put('XBTUSD.csv.new', 'time,op')
    put('files.json.new', '{"venue"')
    expect(await again()).toBe(true)
    expect(desk.files()).toEqual(after)
  })
})

describe('a download of the venue that continues the prices', () => {
  it('is kept whole in a folder of its own, and the difference at the seam is printed', async () => {
    const desk = candlesDesk()
    await desk.load(lines([100, 100, 200]))
    desk.printed()
    const path = desk.save(lines([100.2, 101, 199.2, 198, 197]), 'BTCUSDT_1440.csv')
    expect(await desk.run('import', 'binance', path)).toBe(true)
    expect(desk.printed()).toContain(
      'Close on 2024-01-03, the last day of Kraken: -0.400 %. On 3 common days 66.667 % of closes are within 0.5 %, the median distance is 0.400 %.',
    )
    expect(readdirSync(desk.continuation).sort()).toEqual(['BTCUSDT.csv', 'files.json'])
    const list = JSON.parse(readFileSync(join(desk.continuation, 'files.json'), 'utf8'))
    expect(list).toMatchObject({ venue: 'Binance', quote: 'USDT', files: [{ asset: 'bitcoin', bars: 5 }] })
    expect(await desk.run('check')).toBe(true)
    expect(desk.printed()).toBe('Every price file matches files.json: 2.')
  })

  it('is refused under the name of another venue', async () => {
    const desk = candlesDesk()
    await expect(desk.run('import', 'binance', desk.save(lines([1])))).rejects.toThrow('XBTUSD is not a pair')
  })
})
