import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backtest } from '../../../../engine/backtest.ts'
import type { Backtest } from '../../../../engine/backtestResult.ts'
import type { Offered } from '../../../../engine/catalogue.ts'
import type { Definition } from '../../../../engine/definition.ts'
import { simulatedMarket, TESTED_UNTIL } from '../../../../engine/simulatedMarket.ts'
import { SIMULATED_START } from '../../../../engine/simulatedPaths.ts'

/** Relative to the project's root, in which builds run: a bundled module does not know its own path. */
const cacheFolder = join(process.cwd(), '.astro/backtests')
const computed = new Map<string, Backtest>()

/**
 * The backtest of a catalogue strategy on the whole simulated market. Cached across builds until the engine or the definition
 * changes.
 */
export function backtestOf({ slug, definition }: Offered): Backtest {
  const cached = computed.get(slug)
  if (cached !== undefined) return cached
  const file = join(cacheFolder, `${slug}.json`)
  const from = fingerprintOf(definition)
  const found = readCached(file, from)
  const result = found ?? testOf(definition)
  if (found === null) save(file, { from, backtest: result })
  computed.set(slug, result)
  return result
}

interface CachedBacktest {
  readonly from: string
  readonly backtest: Backtest
}

function testOf(definition: Definition): Backtest {
  return backtest(simulatedMarket(definition.assets, SIMULATED_START, TESTED_UNTIL), definition)
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

/** A hash of everything that a backtest depends on: the definition and the engine's sources. */
function fingerprintOf(definition: Definition): string {
  engine ??= globSync('engine/**/*.ts', { exclude: ['**/*.test.ts', 'test/support/engine'] })
    .sort()
    .map((path) => `${path}\n${readFileSync(path, 'utf8')}`)
    .join('\n')
  return createHash('sha256').update(engine).update(JSON.stringify(definition)).digest('hex')
}
