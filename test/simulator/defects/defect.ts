import type { Change } from '../change.ts'

/** A realistic mistake, planted to see whether the simulator finds it. */
export interface Defect extends Change {
  /** What an investor would lose, or an operator. */
  readonly harm: string
  /** Seeds of `--chains` that are played instead of whole platforms. */
  readonly chains?: string
  /** Fast tests that find what the simulator cannot, played before it. */
  readonly tests?: readonly string[]
}
