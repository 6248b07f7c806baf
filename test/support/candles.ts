import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCandles } from '../../scripts/candles/command.ts'
import type { Context } from '../../scripts/candles/context.ts'
import { DAY_MS } from '../../src/time.ts'

/** The first day of these tests' bars. */
export const FIRST = Date.UTC(2024, 0, 1)
/** Noon of 2024-12-01. */
export const NOW = Date.UTC(2024, 11, 1, 12)

/** A line of a download. `day` counts from 2024-01-01, and the volume is 10,000 coins. */
export function line(day: number, close: number, changes: Partial<Record<Cell, string | number>> = {}) {
  const cells = {
    time: FIRST / 1000 + (day * DAY_MS) / 1000,
    open: close,
    high: close * 1.01,
    low: close * 0.99,
    close,
    volume: 10_000,
    trades: 12,
    ...changes,
  }
  return Object.values(cells).join(',')
}

type Cell = 'time' | 'open' | 'high' | 'low' | 'close' | 'volume' | 'trades'

/** Lines of days in a row with these closes. */
export function lines(closes: readonly number[], firstDay = 0): string[] {
  return closes.map((close, index) => line(firstDay + index, close))
}

/** This many days with a close of 100. After 30 of them the market begins. */
export const calm = (days: number) => Array<number>(days).fill(100)

/** Folders that are deleted when the test ends: for the price files and for downloads. */
export function candlesDesk(changes: Partial<Context> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'platform-candles-test-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  return deskIn(root, changes)
}

/** The same in a folder that exists. */
export function deskIn(root: string, changes: Partial<Context> = {}) {
  const directory = mkdtempSync(join(root, 'prices-'))
  const continuation = mkdtempSync(join(root, 'continuation-'))
  const downloads = mkdtempSync(join(root, 'downloads-'))
  const printed: string[] = []
  const slept: number[] = []
  const context: Context = {
    directory,
    continuation,
    baseUrl: 'https://kraken.test/0',
    now: () => NOW,
    fetch: async () => {
      throw new Error('nothing is fetched in this test')
    },
    sleep: async (ms) => {
      slept.push(ms)
    },
    print: (text) => printed.push(text),
    progress: () => {},
    ...changes,
  }
  const run = (...args: string[]) => runCandles(args, context)
  /** Writes a download. */
  const save = (text: string | readonly string[], name = 'XBTUSD_1440.csv') => {
    const path = join(downloads, name)
    writeFileSync(path, typeof text === 'string' ? text : `${text.join('\n')}\n`)
    return path
  }
  return {
    directory,
    continuation,
    context,
    slept,
    save,
    run,
    /** Imports these lines. */
    load: (text: string | readonly string[], ...args: string[]) =>
      run('import', 'kraken', save(text), ...args),
    read: (name: string) => readFileSync(join(directory, name), 'utf8'),
    list: () => JSON.parse(readFileSync(join(directory, 'files.json'), 'utf8')),
    /** The output since the last call. */
    printed: () => printed.splice(0).join('\n'),
    /** Restores earlier contents of all price files. */
    reset: (files: Readonly<Record<string, string>>) => {
      for (const name of readdirSync(directory)) rmSync(join(directory, name))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
    },
    /** The contents of all price files, by name. */
    files: () =>
      Object.fromEntries(
        readdirSync(directory)
          .sort()
          .map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
      ),
  }
}
