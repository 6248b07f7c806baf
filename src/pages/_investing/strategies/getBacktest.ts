import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBacktest } from '../../../../engine/backtest/backtest.ts'
import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { FEE_ROWS, type FeeRow, withFee } from '../../../../engine/backtest/realTests.ts'
import { loadMarket, type MarketTest } from './marketTests.ts'

/** Relative to the project's root, in which builds run: a bundled module does not know its own path. */
const cacheFolder = join(process.cwd(), '.astro/backtests')
const computed = new Map<string, Backtest>()

/** The result of a test. Cached across builds until the engine, the prices, the definition or the options change. */
export function getBacktest(test: MarketTest): Backtest {
  return loadBacktest(test, `${test.strategy.slug}-${test.on}`)
}

/** @param name of the cached file */
function loadBacktest(test: MarketTest, name: string): Backtest {
  const cached = computed.get(name)
  if (cached !== undefined) return cached
  const file = join(cacheFolder, `${name}.json`)
  const from = hashTestInputs(test)
  const found = readCached(file, from)
  const result = found ?? runBacktest(loadMarket(test), test.definition, test.options)
  if (found === null) save(file, { from, backtest: result })
  computed.set(name, result)
  return result
}

/** The same test at each fee of `FEE_ROWS`, without the trials of other parameters. */
export function listBacktestsByFee(
  test: MarketTest,
): { readonly fee: FeeRow; readonly backtest: Backtest }[] {
  return FEE_ROWS.map((fee) => {
    const definition = withFee(test.definition, fee.feeBasisPoints)
    const options = { ...test.options, light: true }
    const name = `${test.strategy.slug}-${test.on}-${fee.feeBasisPoints}`
    return { fee, backtest: loadBacktest({ ...test, definition, options }, name) }
  })
}

interface CachedBacktest {
  readonly from: string
  readonly backtest: Backtest
}

function readCached(file: string, from: string): Backtest | null {
  if (!existsSync(file)) return null
  const cached = JSON.parse(readFileSync(file, 'utf8')) as CachedBacktest
  return cached.from === from ? cached.backtest : null
}

/** Writes and then renames the file, because two builds may write at once. */
function save(file: string, content: CachedBacktest): void {
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(content))
  renameSync(`${file}.${process.pid}`, file)
}

let engine: string | undefined

/** A hash of everything that a backtest depends on: the definition, the options, the prices and the engine's sources. */
function hashTestInputs({ definition, options, files }: MarketTest): string {
  engine ??= globSync('engine/**/*.ts', { exclude: ['**/*.test.ts'] })
    .sort()
    .map((path) => `${path}\n${readFileSync(path, 'utf8')}`)
    .join('\n')
  const hashes = files.map(({ sha256 }) => sha256)
  return createHash('sha256')
    .update(engine)
    .update(JSON.stringify([definition, options, hashes]))
    .digest('hex')
}
