import type { Change } from '../change.ts'

/** The conditions of one file, and the fast tests that must notice a change of any of them. */
export interface ConditionsOfFile {
  readonly file: string
  readonly tests: readonly string[]
  readonly changes: readonly ChangedCondition[]
}

/** A flipped comparison, a dropped refusal or a missing clause. */
interface ChangedCondition extends Omit<Change, 'file'> {
  /** Why nobody can notice the change; absent if a test must. */
  readonly equivalent?: string
}
