/** A realistic mistake, planted to see whether the simulator finds it. */
export interface Defect {
  readonly name: string
  /** What an investor would lose, or an operator. */
  readonly harm: string
  readonly file: string
  /** Text that stands in the file once, and what it becomes. */
  readonly find: string
  readonly replace: string
}
