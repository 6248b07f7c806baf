import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backtest } from '../../../../engine/backtest.ts'
import type { Backtest } from '../../../../engine/backtestResult.ts'
import type { Offered } from '../../../../engine/catalogue.ts'
import type { Definition } from '../../../../engine/definition.ts'
import { SIMULATED_START, simulatedMarket, TESTED_UNTIL } from '../../../../engine/simulatedMarket.ts'

/** A build stands in the project, wherever its own files lie. */
const kept = join(process.cwd(), '.astro/backtests')
const computed = new Map<string, Backtest>()

/**
 * The test of a strategy of the catalogue, on the whole of the simulated market. It is made once, however many pages and builds show
 * it: what was kept of a former one counts while the engine, which makes the market too, and the definition are to the letter the same.
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

/** Written aside and put there whole, since two builds may do so at once. */
function keep(file: string, known: Kept): void {
  mkdirSync(kept, { recursive: true })
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(known))
  renameSync(`${file}.${process.pid}`, file)
}

let engine: string | undefined

/** Of all that a test follows from: the definition, and every line of the engine. */
function fingerprintOf(definition: Definition): string {
  engine ??= globSync('engine/**/*.ts', { exclude: ['**/*.test.ts', 'test/support/engine'] })
    .sort()
    .map((path) => `${path}\n${readFileSync(path, 'utf8')}`)
    .join('\n')
  return createHash('sha256').update(engine).update(JSON.stringify(definition)).digest('hex')
}
