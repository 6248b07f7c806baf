import { createHash } from 'node:crypto'
import { type ChainsOutcome, playChains } from './play.ts'

const SEEDS_BETWEEN_LINES = 50

/** Plays the chains of these seeds; with `isQuick` up to the first that breaks a rule. Prints what happened. Returns whether all were kept. */
export async function simulateChains(
  seeds: readonly number[],
  isQuick: boolean,
  print: (line: string) => void,
): Promise<boolean> {
  const beganUs = process.cpuUsage().user
  const counts = new Map<string, number>()
  const sums: Record<string, number> = {}
  const ledger = createHash('sha256')
  let broken = 0
  for (const [done, seed] of seeds.entries()) {
    if (done > 0 && done % SEEDS_BETWEEN_LINES === 0)
      print(`${done} chains: ${sums.credited} payments credited, ${sums.queued} queued`)
    const outcome = await playChains(seed)
    ledger.update(outcome.ledger)
    for (const [kind, times] of outcome.counts) counts.set(kind, (counts.get(kind) ?? 0) + times)
    for (const [name, n] of Object.entries(outcome.results)) sums[name] = (sums[name] ?? 0) + n
    if (outcome.broken !== null) {
      broken += 1
      printBroken(outcome, print)
      if (isQuick) return false
    }
  }
  const seconds = (process.cpuUsage().user - beganUs) / 1e6
  print(
    `${seeds.length} chains in ${seconds.toFixed(0)} s of processor time: ${broken === 0 ? 'every rule was kept' : `${broken} broke a rule`}`,
  )
  print(
    `  ${sums.credited} payments credited, ${sums.queued} queued, ${sums.gone} gone before a credit, ${sums.undone} gone after it; ${sums.payouts} payouts of ${sums.withdrawals} withdrawals`,
  )
  for (const [kind, times] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    print(`  ${times} × ${kind}`)
  print(`chains ${ledger.digest('hex')}`)
  return broken === 0
}

function printBroken({ seed, broken }: ChainsOutcome, print: (line: string) => void): void {
  if (broken === null) return
  print(`BROKEN ${broken.rule}: ${broken.finding}`)
  print(`Tick ${broken.tick}. Repeat it: npm run simulate -- --chains ${seed}-${seed}`)
}
