/** A change of a trigger that no row could show, with the reason. */
interface Equivalent {
  readonly trigger: string
  /** As `mutantsOf` names it. */
  readonly change: string
  readonly reason: string
}

/** Changes that go unnoticed because they change nothing. */
export const EQUIVALENTS: readonly Equivalent[] = []
