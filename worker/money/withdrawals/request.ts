import type { FiledRequest } from '../../../src/contract/common.ts'
import type {
  requestBankWithdrawal as requestBankWithdrawalEndpoint,
  requestWithdrawal as requestWithdrawalEndpoint,
  StepUpReason,
} from '../../../src/contract/money/withdrawals.ts'
import { type ActorCall, type Answer, type CallOf, created } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { hold } from '../../ledger/post.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { findDatabaseRefusal } from '../../lib/errors.ts'
import { requests, withdrawalDetails } from '../../lib/tables/requests.ts'
import { assertMayFile } from './decide.ts'
import { buildBankDestination, buildWalletDestination, type Destination } from './destination.ts'
import {
  assertMayTry,
  isProofGiven,
  type NewWithdrawal,
  readFacts,
  readSentProof,
  takeOffTry,
} from './facts.ts'
import { buildDelayMail, buildFiledMail } from './mails.ts'
import { type ConfirmedWithdrawal, confirm, type Proof } from './proof.ts'

export async function requestWithdrawal(
  call: CallOf<typeof requestWithdrawalEndpoint>,
): Promise<Answer<FiledRequest>> {
  return fileWithdrawal(call, {
    kind: 'withdrawal',
    amountCents: call.body.amount,
    destination: await buildWalletDestination(call.body),
    proof: await readSentProof(call.body),
  })
}

/** Withdraws to a bank account through the online service. */
export async function requestBankWithdrawal(
  call: CallOf<typeof requestBankWithdrawalEndpoint>,
): Promise<Answer<FiledRequest>> {
  return fileWithdrawal(call, {
    kind: 'online-service-withdrawal',
    amountCents: call.body.amount,
    destination: await buildBankDestination(call.body),
    proof: await readSentProof(call.body),
  })
}

/** How often a decision is repeated because of the investor's parallel requests. */
const ATTEMPTS = 5

/**
 * Files a withdrawal and holds its amount, or refuses in the contract's order: fields, too many open, not covered, extra
 * proof. The database checks again in the batch; the checks here only choose the refusal.
 */
async function fileWithdrawal(call: ActorCall, withdrawal: NewWithdrawal): Promise<Answer<FiledRequest>> {
  for (let attempt = 1; ; attempt++) {
    const facts = await readFacts(call, withdrawal)
    assertMayTry(facts.tries, call.nowMs)
    assertMayFile(withdrawal, facts)
    const confirmed = await confirm(call, withdrawal, facts)
    try {
      return await commitWithdrawal(call, withdrawal, confirmed)
    } catch (error) {
      // Together with parallel requests this is a large share, or another proof changed the destination's delay.
      const code = findDatabaseRefusal(error)?.code
      const isOvertaken = code === 'step_up_required' || code === 'destination_on_hold'
      if (!isOvertaken || attempt === ATTEMPTS) throw error
    }
  }
}

async function commitWithdrawal(
  call: ActorCall,
  withdrawal: NewWithdrawal,
  { proof, reasons }: ConfirmedWithdrawal,
): Promise<Answer<FiledRequest>> {
  const { db, actor, nowMs } = call
  const { kind, amountCents, destination } = withdrawal
  const id = newId()
  const ref = newRef('WDR')
  const { heldUntil } = proof
  const answer = created({
    msg: `Withdrawal request ${ref} was sent and awaits approval.`,
    ref,
    _id: id,
    ...(heldUntil !== null && { heldUntil: toIso(heldUntil) }),
  })
  const [investor, sessionId] = [actor.id, actor.session.id]
  const filing = { id, ref, investor, actor: investor, kind, amountCents, destination, sessionId, nowMs }
  await call.commit({
    statements: [
      // The proof comes first, so that a code used meanwhile is refused as `invalid_code`.
      ...proof.statements,
      ...(isProofGiven(withdrawal) && actor.twoFactor ? [takeOffTry(actor.id)] : []),
      ...insertWithdrawal(db, { ...filing, proof, reasons, heldUntil }),
    ],
    audit: [
      {
        action: 'withdrawal.requested',
        subject: id,
        detail: { amountCents, kind, proof: proof.by, reasons: reasons.join(' '), heldUntil },
      },
    ],
    mails: [
      heldUntil === null
        ? await buildFiledMail(call, ref, withdrawal)
        : await buildDelayMail(call, ref, withdrawal, heldUntil),
    ],
    answer,
  })
  return answer
}

/** A withdrawal to file. `actor` is recorded in the ledger as the one who made the hold. */
export interface Filing {
  readonly id: string
  readonly ref: string
  readonly investor: string
  readonly actor: string
  readonly kind: NewWithdrawal['kind']
  readonly amountCents: number
  readonly destination: Pick<Destination, 'hash' | 'details'>
  readonly sessionId: string
  readonly proof: Pick<Proof, 'by' | 'passkey'>
  readonly reasons: readonly StepUpReason[]
  readonly heldUntil: number | null
  readonly nowMs: number
}

/** Statements for the request, its details and the hold of its amount. The database checks the decision again. */
export function insertWithdrawal(db: Database, filing: Filing): Statement[] {
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
