import { sql } from 'drizzle-orm'
import type * as contract from '../../../src/contract/console/deposits.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { recordEvent } from '../../ledger/requestEvents.ts'
import { refuse } from '../../lib/errors.ts'
import { withdrawnApprovals } from '../../lib/tables/operators.ts'
import { readSettings } from '../../platform/settings/values.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import { depositRejected } from '../cases/mails.ts'
import { listReasonWords, tellReason } from '../cases/reasons.ts'
import { applyEvent, createStep, readRequests, selectQueueRequest } from '../cases/requests.ts'
import { assertNotAssigned, readNextWork } from '../cases/workState.ts'
import { depositRow, readDeposits } from './deposit.ts'

/** Rejects a pending deposit, also one with a first approval. The investor reads a listed reason. A trigger refuses a decided one. */
export async function rejectDeposit(
  call: CallOf<typeof contract.rejectDeposit>,
  found: Awaited<ReturnType<typeof loadDepositToReject>>,
) {
  const { deposit, settings } = found
  assertNotAssigned(deposit, call)
  const { told, note } = await tellReason(
    call,
    'depositRejection',
    settings,
    call.body,
    listReasonWords(deposit),
  )
  const event = createStep(call, deposit, 'rejected', { note: told })
  return call.commit({
    statements: [
      recordEvent(call.db, event),
      // Its payment has arrived. A person decides what happens to it.
      sql`UPDATE payments SET state = 'queued', reason = 'rejected' WHERE request = ${deposit.id} AND state = 'final'`,
      ...addInternalNote(call, deposit.investor, `${deposit.ref} rejected`, note),
    ],
    audit: [{ action: 'deposit.rejected', subject: deposit.id }],
    mails: [depositRejected(call.env, deposit, told)],
    answer: ok(depositRow(applyEvent(deposit, event, call.actor), call)),
  })
}

/** Loads a deposit and the settings with the listed reasons in one round trip. */
export async function loadDepositToReject({ db, params }: ActorCall) {
  const [[deposit], settings] = await readRequests(
    db,
    readDeposits,
    selectQueueRequest('deposits', params.id ?? ''),
    readSettings(),
  )
  return { deposit: deposit ?? refuse('not_found'), settings }
}

/**
 * Takes back the first of two approvals. Only the operator who gave it may, and only before the credit. The approval stays on
 * record, and the next one counts as a first again, so a credit still needs two people.
 */
export async function revokeApproval(
  call: CallOf<typeof contract.revokeApproval>,
  { deposit, nextWork }: Awaited<ReturnType<typeof loadDepositToRevoke>>,
) {
  const { db, actor, nowMs } = call
  const { firstBy, firstReference, firstReferenceKey, firstAmount, firstAt } = deposit
  if (deposit.status !== 'pending') refuse('already_decided')
  if (firstBy === null || firstReference === null || firstReferenceKey === null)
    refuse('conflict', { msg: 'There is no first approval here. It may have been withdrawn already.' })
  if (firstAmount === null || firstAt === null) throw new Error('An approval names its amount and time.')
  if (firstBy !== actor.id)
    refuse('forbidden', {
      msg: 'Only the operator who approved this first can withdraw that approval. You can reject the deposit.',
    })
  return call.commit({
    // A trigger deletes the approval, and refuses a revocation that does not match it.
    statements: [
      db.insert(withdrawnApprovals).values({
        request: deposit.id,
        operator: actor.id,
        reference: firstReference,
        referenceKey: firstReferenceKey,
        amount: firstAmount,
        quantity: deposit.firstQuantity,
        note: deposit.firstNote,
        approvedAt: firstAt,
        at: nowMs,
      }),
    ],
    audit: [
      { action: 'deposit.approval_withdrawn', subject: deposit.id, detail: { amountCents: firstAmount } },
    ],
    answer: ok(depositRow({ ...deposit, ...NO_APPROVAL, work: nextWork }, call)),
  })
}

/** Loads a deposit, and its work without an approval, in one round trip. */
export async function loadDepositToRevoke({ db, params }: ActorCall) {
  const id = params.id ?? ''
  const [[deposit], [next]] = await readRequests(
    db,
    readDeposits,
    selectQueueRequest('deposits', id),
    readNextWork('deposit', id),
  )
  return { deposit: deposit ?? refuse('not_found'), nextWork: next?.work ?? null }
}

const NO_APPROVAL = {
  firstBy: null,
  firstName: null,
  firstReference: null,
  firstReferenceKey: null,
  firstAmount: null,
  firstQuantity: null,
  firstUnits: null,
  firstNote: null,
  firstAt: null,
}
