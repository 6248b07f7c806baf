import type { Change } from '../change.ts'

/** A realistic mistake, planted to see whether the simulator finds it. */
export interface Defect extends Change {
  /** What an investor would lose, or an operator. */
  readonly harm: string
}
