import type { StepUpReason } from '../../../src/contract/withdrawals.ts'
import { hold } from '../../ledger/post.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { requests, withdrawalDetails } from '../../lib/tables/requests.ts'
import type { Destination } from './destination.ts'
import type { Proof } from './proof.ts'
import type { Wish } from './wish.ts'

/** A withdrawal that may be filed. `actor` is whose act the ledger calls the hold. */
export interface Filing {
  readonly id: string
  readonly ref: string
  readonly investor: string
  readonly actor: string
  readonly kind: Wish['kind']
  readonly amountCents: number
  readonly destination: Pick<Destination, 'hash' | 'details'>
  readonly sessionId: string
  readonly proof: Pick<Proof, 'by' | 'passkey'>
  readonly reasons: readonly StepUpReason[]
  readonly heldUntil: number | null
  readonly nowMs: number
}

/** The request, its details and the hold of its amount. The database decides once more whether it may be. */
export function filingOf(db: Database, filing: Filing): Statement[] {
  const { id, ref, investor, actor, kind, amountCents, destination, proof, nowMs } = filing
  return [
    db.insert(requests).values({
      id,
      ref,
      investor,
      kind,
      queue: 'withdrawals',
      amount: amountCents,
      asked: amountCents,
      createdAt: nowMs,
    }),
    db.insert(withdrawalDetails).values({
      ...destination.details,
      request: id,
      destinationHash: destination.hash,
      sessionId: filing.sessionId,
      proof: proof.by,
      passkey: proof.passkey,
      reasons: JSON.stringify(filing.reasons),
      heldUntil: filing.heldUntil,
    }),
    hold(db, { id, investor, amountCents }, { actor, nowMs }),
  ]
}
