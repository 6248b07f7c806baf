import { sql } from 'drizzle-orm'
import type { BankDetails, OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { BANK_IDENTITY } from '../../../src/contract/money/withdrawals.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading } from '../../lib/database.ts'
import { identityOf } from '../../money/withdrawals/destination.ts'

/** A bank withdrawal that was paid; `bank` is JSON of its fields. */
export interface LastPaid {
  readonly ref: string
  readonly at: number
  readonly bank: string
}

/** The newest bank withdrawal of the same investor that was asked for before this one and paid. */
export function readLastPaid(id: string): Read<LastPaid> {
  return reading(sql`
    SELECT p.ref, e.at, d.bank
    FROM requests r
    JOIN requests p INDEXED BY requests_history_by_both
      ON p.investor = r.investor AND p.kind = r.kind AND p.status = 'completed' AND p.created_at <= r.created_at
    JOIN request_events e ON e.request = p.id AND e.status = 'completed'
    JOIN withdrawal_details d ON d.request = p.id
    WHERE r.id = ${id} AND r.kind = 'online-service-withdrawal' AND +p.seq < r.seq
    ORDER BY p.created_at DESC, p.seq DESC LIMIT 1`)
}

/** Which fields of the destination differ from where the investor was paid last; null where no bank was paid before. */
export function comparedWith(
  paid: LastPaid | null,
  bank: string,
): NonNullable<OperatorWithdrawal['lastPaid']> | null {
  if (paid === null) return null
  const [before, now] = [paid.bank, bank].map((json) => JSON.parse(json) as Partial<BankDetails>)
  const changed = BANK_IDENTITY.filter(
    (field) => identityOf(field, before?.[field] ?? '') !== identityOf(field, now?.[field] ?? ''),
  )
  return { ref: paid.ref, at: iso(paid.at), changed }
}
