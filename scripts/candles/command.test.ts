import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { calm, candlesDesk, lines } from '../../test/support/candles.ts'
import { root, run } from '../toolchain.mjs'
import { findDifferences } from './check.ts'
import { parseBaseUrl } from './command.ts'
import { createOutput } from './terminal.ts'

describe('a check', () => {
  it('finds no difference in the committed prices', () => {
    for (const folder of ['kraken', 'binance'])
      expect(findDifferences(join(import.meta.dirname, '../../data', folder))).toEqual([])
  })

  it('finds all differences', async () => {
    const desk = candlesDesk()
    expect(await desk.run('check')).toBe(false)
    expect(desk.printed()).toBe('files.json is missing.')
    await desk.load([...lines(calm(40)), 'odd'])
    desk.printed()
    expect(await desk.run('check')).toBe(true)
    expect(desk.printed()).toBe('Every price file matches files.json: 1.')
    const before = desk.files()
    const list = before['files.json'] ?? ''
    const put = (name: string, text: string) => writeFileSync(join(desk.directory, name), text)
    const wrongs: [name: string, text: string, words: string][] = [
      ['XBTUSD.csv', `${before['XBTUSD.csv']}\n`, 'XBTUSD.csv has the hash '],
      ['files.json', list.replace('"bars": 40', '"bars": 41'), 'bars is 40, files.json says 41.'],
      [
        'files.json',
        list.replace('"2024-01-31"', 'null'),
        'marketBegins is 2024-01-31, files.json says null.',
      ],
      ['files.json', list.replace('"2024-01-01"', '"2024-01-02"'), 'firstDay is 2024-01-01'],
      ['files.json', list.replace('"2024-02-09"', '"2024-01-02"'), 'lastDay is 2024-02-09'],
      [
        'files.json',
        list.replace('"missingDays": []', '"missingDays": [\n        "2024-01-03"\n      ]'),
        'missingDays is , ',
      ],
      ['files.json', list.replace('bitcoin', 'ethereum'), 'which do not belong together.'],
      [
        'files.json',
        JSON.stringify(JSON.parse(list)),
        'files.json is not formatted as this command writes it.',
      ],
      ['ETHUSD.csv', '', 'ETHUSD.csv is not in files.json.'],
      ['XBTUSD.csv.new', '', 'XBTUSD.csv.new was left by an interrupted run: run it again.'],
      ['XBTUSD.doubtful.csv', 'time\n', 'XBTUSD.doubtful.csv is damaged: the header must be'],
      [
        'XBTUSD.doubtful.csv',
        `${before['XBTUSD.doubtful.csv']}1,2\n`,
        'is damaged: line 3 has no known reason.',
      ],
    ]
    for (const [name, text, words] of wrongs) {
      put(name, text)
      expect(await desk.run('check')).toBe(false)
      expect(desk.printed().split('\n')).toEqual([expect.stringContaining(words)])
      desk.reset(before)
    }
    put('files.json', '{}')
    await expect(desk.run('check')).rejects.toThrow('files.json is damaged: restore it from the repository.')
    desk.reset(before)
    rmSync(join(desk.directory, 'XBTUSD.csv'))
    await desk.run('check')
    expect(desk.printed()).toBe('XBTUSD.csv is missing.')
  })
})

it('prints how it is used without arguments', async () => {
  const desk = candlesDesk()
  expect(await desk.run()).toBe(true)
  expect(desk.printed()).toContain('npm run candles -- import kraken FILE…')
})

test.each([
  ['repair'],
  ['check', 'all'],
  ['check', '--accept-revisions', '2024-01-01'],
  ['import', '--now'],
  ['import'],
])('refuses %s %s %s', async (...args) => {
  const desk = candlesDesk()
  await expect(desk.run(...args.filter(Boolean))).rejects.toThrow(/npm run candles --|Unknown option/)
})

it('starts by its name', async () => {
  expect(await run('node', [join(root, 'scripts/candles.mjs'), 'check'])).toBe(
    'Every price file matches files.json: 10.\n',
  )
})

it('imports from no other venue', async () => {
  const desk = candlesDesk()
  await expect(desk.run('import', 'coinbase', desk.save(lines([1])))).rejects.toThrow('Name the files')
})

it('asks Kraken, another https address, or this machine', () => {
  expect(parseBaseUrl(undefined)).toBe('https://api.kraken.com/0')
  expect(parseBaseUrl(' https://example.org/0/ ')).toBe('https://example.org/0')
  expect(parseBaseUrl('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080')
  expect(() => parseBaseUrl('http://example.org')).toThrow('CANDLES_BASE_URL is no https address.')
})

it('overwrites the line of its progress on a terminal only', () => {
  const written = (isTTY: boolean) => {
    const texts: string[] = []
    const { print, progress } = createOutput({ isTTY, write: (text) => texts.push(text) })
    progress('Reading a')
    progress('Reading a', 0.505)
    print('done')
    return texts.join('')
  }
  expect(written(true)).toBe('\r\u001b[KReading a …\r\u001b[KReading a … 50 %\r\u001b[Kdone\n')
  expect(written(false)).toBe('Reading a …\ndone\n')
})
