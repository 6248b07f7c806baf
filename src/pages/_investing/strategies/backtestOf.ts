import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backtest } from '../../../../engine/backtest.ts'
import type { Backtest } from '../../../../engine/backtestResult.ts'
import type { Offered } from '../../../../engine/catalogue.ts'
import type { Definition } from '../../../../engine/definition.ts'
import { simulatedMarket, TESTED_UNTIL } from '../../../../engine/simulatedMarket.ts'
import { SIMULATED_START } from '../../../../engine/simulatedPaths.ts'

/** A bundled module does not know its place in the project, but builds run at the root. */
const kept = join(process.cwd(), '.astro/backtests')
const computed = new Map<string, Backtest>()

/**
 * The backtest of a strategy of the catalogue, on the whole simulated market. It is computed once and kept from build to build, until
 * the engine or the definition changes.
 */
export function backtestOf({ slug, definition }: Offered): Backtest {
  const known = computed.get(slug)
  if (known !== undefined) return known
  const file = join(kept, `${slug}.json`)
  const from = fingerprintOf(definition)
  const found = readKept(file, from)
  const result = found ?? testOf(definition)
  if (found === null) keep(file, { from, backtest: result })
  computed.set(slug, result)
  return result
}

interface Kept {
  readonly from: string
  readonly backtest: Backtest
}

function testOf(definition: Definition): Backtest {
  return backtest(simulatedMarket(definition.assets, SIMULATED_START, TESTED_UNTIL), definition)
}

function readKept(file: string, from: string): Backtest | null {
  if (!existsSync(file)) return null
  const known = JSON.parse(readFileSync(file, 'utf8')) as Kept
  return known.from === from ? known.backtest : null
}

/** Renamed when complete, because two builds may write at once. */
function keep(file: string, known: Kept): void {
  mkdirSync(kept, { recursive: true })
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(known))
  renameSync(`${file}.${process.pid}`, file)
}

let engine: string | undefined

/** A hash of what a backtest depends on: the definition and the engine's sources. */
function fingerprintOf(definition: Definition): string {
  engine ??= globSync('engine/**/*.ts', { exclude: ['**/*.test.ts', 'test/support/engine'] })
    .sort()
    .map((path) => `${path}\n${readFileSync(path, 'utf8')}`)
    .join('\n')
  return createHash('sha256').update(engine).update(JSON.stringify(definition)).digest('hex')
}
