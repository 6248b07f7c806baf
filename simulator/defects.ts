import { join } from 'node:path'
import type { Rewrite } from './lane/load.ts'

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

export const DEFECTS: readonly Defect[] = [
  {
    name: 'forgotten-idempotency',
    harm: 'A double click makes two requests.',
    file: 'worker/pipeline.ts',
    find: "endpoint.idempotent ? request.headers.get('Idempotency-Key') : null",
    replace: 'null',
  },
  {
    name: 'cancel-keeps-the-hold',
    harm: 'The money of a cancelled withdrawal stays held for ever.',
    file: 'worker/money/requests/cancel.ts',
    find: '[release(call.db, cause, { actor: call.actor.id, nowMs: call.nowMs })]',
    replace: '[]',
  },
  {
    name: 'rejection-keeps-the-hold',
    harm: 'The money of a rejected withdrawal stays held for ever.',
    file: 'worker/console/withdrawals/decide.ts',
    find: '      release(db, { id, investor, amountCents }, { actor: actor.id, nowMs }),\n',
    replace: '',
  },
  {
    name: 'withdrawal-without-hold',
    harm: 'An amount can be withdrawn twice.',
    file: 'worker/money/withdrawals/request.ts',
    find: '    hold(db, { id, investor, amountCents }, { actor, nowMs }),\n',
    replace: '',
  },
  {
    name: 'credit-without-money',
    harm: 'A deposit is shown as credited, and the money is not there.',
    file: 'worker/console/deposits/approve.ts',
    find: '      credit(db, { id, investor, amountCents }, { actor: actor.id, nowMs }),\n',
    replace: '',
  },
  {
    name: 'credit-without-custody',
    harm: 'The platform does not know that it owns the coins.',
    file: 'worker/console/deposits/approve.ts',
    find: '      takeIntoCustody({ request: id, asset: coin, units: arrived.units, nowMs }),\n',
    replace: '',
  },
  {
    name: 'no-proof-asked',
    harm: 'A stolen password is enough to withdraw to a new address.',
    file: 'worker/money/withdrawals/decide.ts',
    find: `  return reasonsOf({
    ...facts,`,
    replace: `  if (amountCents > 0) return []
  return reasonsOf({
    ...facts,`,
  },
  {
    name: 'unrealised-forgotten',
    harm: 'The statement hides gains and losses of strategies.',
    file: 'worker/money/statements/statement.ts',
    find: '(price === null ? 0 : valueCents(units, price) - cost)',
    replace: '(price === null ? 0 : 0 * units * cost)',
  },
  {
    name: 'held-counts-as-available',
    harm: 'The overview offers money that a withdrawal already holds.',
    file: 'worker/ledger/balances.ts',
    find: "    available: sumOf('available'),\n    held",
    replace: "    available: sumOf('available') + sumOf('held'),\n    held",
  },
  {
    name: 'total-without-withdrawals',
    harm: 'The total still counts what was paid out.',
    file: 'worker/ledger/balances.ts',
    find: 'totalBalance: profits + deposits + bonus - withdrawals',
    replace: 'totalBalance: profits + deposits + bonus',
  },
  {
    name: 'claim-never-released',
    harm: 'A refused request cannot be corrected and sent again with its key.',
    file: 'worker/http/idempotency.ts',
    find: "AND claim = ?3 AND state = 'running'`)",
    replace: "AND claim = ?3 AND state = 'never'`)",
  },
  {
    name: 'delay-of-new-destinations-forgotten',
    harm: 'A thief with the mailbox gets the money before the owner can stop it.',
    file: 'worker/money/withdrawals/decide.ts',
    find: 'if (!facts.destinationKnown) return nowMs + DELAY_MS',
    replace: 'if (!facts.destinationKnown) return null',
  },
]

/** Plants a defect by its name. Throws for an unknown name, and if its text is not in the file exactly once. */
export function planted(name: string): Rewrite {
  const defect = DEFECTS.find((each) => each.name === name)
  if (defect === undefined) throw new Error(`There is no defect named ${name}`)
  const file = join(import.meta.dirname, '..', defect.file)
  return (path, text) => {
    if (path !== file) return null
    const parts = text.split(defect.find)
    if (parts.length !== 2)
      throw new Error(`${name}: its text stands ${parts.length - 1} times in ${defect.file}`)
    return parts.join(defect.replace)
  }
}
