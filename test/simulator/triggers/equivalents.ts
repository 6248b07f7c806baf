/** A change of a trigger that no row could show, with the reason. */
interface Equivalent {
  readonly trigger: string
  /** As `buildMutants` names it. */
  readonly change: string
  readonly reason: string
}

/** Changes that go unnoticed because they change nothing. */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    trigger: 'withdrawn_approvals_take_effect',
    change:
      "= NEW . request ; SELECT [RAISE(ABORT, 'withdrawn_approvals: approval not removed') → NULL] WHERE EXISTS (",
    reason:
      'The statement before it deletes the same rows. The refusal would need a trigger of credit_approvals that ignores a deletion. There is none.',
  },
  {
    trigger: 'plans_stopped',
    change:
      "AND status = 'announced' ; SELECT [RAISE(ABORT, 'plans: announced date left') → NULL] WHERE EXISTS (",
    reason: 'The update before it has already skipped these rows, so the refusal finds none.',
  },
  {
    trigger: 'unit_movements_checked',
    change: ') <> ( NEW . units [> → >=] 0 ) OR',
    reason:
      'It differs for 0 units only. The same refusal applies to them already, since abs(units) is at least 1.',
  },
  {
    trigger: 'unit_movements_checked',
    change: 'high_water OR ( NEW . high_water [> → >=] p . high_water',
    reason: 'It differs for an equal high-water mark only, which the condition before OR allows already.',
  },
  {
    trigger: 'balance_checkpoints_checked',
    change: 'AND ( at , seq ) [> → >=] ( NEW .',
    reason: 'It differs only if the checkpoint is there already, which the refusal before it names.',
  },
  {
    trigger: 'unit_movements_remembered',
    change: 'AND ( at , seq ) [< → <=] ( NEW .',
    reason: 'It differs only if the movement has its row already, and then the row cannot be inserted.',
  },
]
