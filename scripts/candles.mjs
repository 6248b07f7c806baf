// `npm run candles -- <command>`: the daily prices in data/kraken and data/binance. docs/operations.md says how to bring newer ones.
//   import kraken FILE…   merges Kraken's daily downloads (XBTUSD_1440.csv)
//   import binance FILE…  the same for Binance's, which continue them (BTCUSDT_1440.csv)
//   fetch [PAIR…]         continues the files from Kraken's public API (CANDLES_BASE_URL)
//   check                 compares the files with files.json
//   -- … --accept-revisions 2024-01-03,2024-01-04   replaces the stored bars of these days
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseBaseUrl, runCandles } from './candles/command.ts'
import { createOutput } from './candles/terminal.ts'
import { withLock } from './lock.mjs'
import { root, runCommand } from './toolchain.mjs'

await runCommand(async () => {
  const context = {
    directory: join(root, 'data/kraken'),
    continuation: join(root, 'data/binance'),
    baseUrl: parseBaseUrl(process.env.CANDLES_BASE_URL),
    now: Date.now,
    fetch,
    sleep: (/** @type {number} */ ms) => wait(ms),
    ...createOutput(process.stdout),
  }
  const isComplete = await withLock('candles', () => runCandles(process.argv.slice(2), context))
  if (!isComplete) process.exitCode = 1
})
