import { startWorkerd } from '../../scripts/workerd.mjs'
import { contentsOfBackups } from './lane/sqlite.ts'
import { CLOCK_SQL, withClock } from './lane/workerd.ts'
import type { ReplayOptions, SentOutcome } from './replayed.ts'
import type { Outcome } from './run.ts'

/** Plays a run with the simulator and the Worker's code in workerd, on workerd's D1 and R2. */
export async function replay(options: Omit<ReplayOptions, 'contents'>): Promise<Outcome> {
  const { address, stop } = await startWorkerd('test/simulator/replayed.ts', {
    databases: ['DB', 'SPARE'],
    before: CLOCK_SQL,
    migration: withClock,
  })
  const sent: ReplayOptions = { ...options, contents: contentsOfBackups() }
  try {
    const response = await fetch(address, { method: 'POST', body: JSON.stringify(sent) })
    const lines = (await response.text()).trim().split('\n')
    const outcome = JSON.parse(lines.at(-1) ?? '') as SentOutcome
    return { ...outcome, faults: new Map(outcome.faults) }
  } finally {
    await stop()
  }
}
