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
import { assertMayTry, buildWithdrawal, type NewWithdrawal, type ProofFields, readFacts } from './facts.ts'
import { buildFiledMail } from './mails.ts'
import { confirm, type Proof } from './proof.ts'

export async function requestWithdrawal(
  call: CallOf<typeof requestWithdrawalEndpoint>,
): Promise<Answer<FiledRequest>> {
  return fileWithdrawal(call, 'withdrawal', await buildWalletDestination(call.body))
}

/** Withdraws to a bank account through the online service. */
export async function requestBankWithdrawal(
  call: CallOf<typeof requestBankWithdrawalEndpoint>,
): Promise<Answer<FiledRequest>> {
  return fileWithdrawal(call, 'online-service-withdrawal', await buildBankDestination(call.body))
}

/** How often a decision is repeated because of the investor's parallel requests. */
const ATTEMPTS = 5

async function fileWithdrawal(
  call: ActorCall & { readonly body: { readonly amount: number } & ProofFields },
  kind: NewWithdrawal['kind'],
  destination: Destination,
): Promise<Answer<FiledRequest>> {
  const { actor, body } = call
  const withdrawal = await buildWithdrawal(actor.id, { kind, amountCents: body.amount, destination }, body)
  for (let attempt = 1; ; attempt++) {
    try {
      return await fileOnce(call, withdrawal)
    } catch (error) {
      // Together with parallel requests this is a large share, or another proof changed the destination's delay.
      const code = findDatabaseRefusal(error)?.code
      const isOvertaken = code === 'step_up_required' || code === 'destination_on_hold'
      if (!isOvertaken || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Files a withdrawal and holds its amount, or refuses in the contract's order: fields, too many open, not covered, extra
 * proof. The database checks again in the batch; the checks here only choose the refusal.
 */
async function fileOnce(call: ActorCall, withdrawal: NewWithdrawal): Promise<Answer<FiledRequest>> {
  const { db, env, actor, nowMs } = call
  const { kind, amountCents } = withdrawal
  const facts = await readFacts(db, env, withdrawal, nowMs)
  assertMayTry(facts.tries, nowMs)
  assertMayFile(withdrawal, facts, nowMs)
  const proof = await confirm(call, withdrawal, facts)
  const { heldUntil, reasons } = proof
  const id = newId()
  const ref = newRef('WDR')
  return call.commit({
    statements: [
      // The proof comes first, so that a code used meanwhile is refused as `invalid_code`.
      ...proof.statements,
      ...insertWithdrawal(db, {
        ...withdrawal,
        ...{ id, ref, investor: actor.id, sessionId: actor.session.id },
        ...{ proof, reasons, heldUntil, nowMs },
      }),
    ],
    audit: [
      {
        action: 'withdrawal.requested',
        subject: id,
        detail: { amountCents, kind, proof: proof.by, reasons: reasons.join(' '), heldUntil },
      },
    ],
    mails: [await buildFiledMail(call, ref, withdrawal, heldUntil)],
    answer: created({
      msg: `Withdrawal request ${ref} was sent and awaits approval.`,
      ref,
      _id: id,
      ...(heldUntil !== null && { heldUntil: toIso(heldUntil) }),
    }),
  })
}

/** A withdrawal to file. */
export interface Filing extends Pick<NewWithdrawal, 'kind' | 'amountCents'> {
  readonly id: string
  readonly ref: string
  readonly investor: string
  readonly destination: Pick<Destination, 'hash' | 'details'>
  readonly sessionId: string
  readonly proof: Pick<Proof, 'by' | 'passkey'>
  readonly reasons: readonly StepUpReason[]
  readonly heldUntil: number | null
  readonly nowMs: number
}

/** Statements for the request, its details and the hold of its amount. The database checks the decision again. */
export function insertWithdrawal(db: Database, filing: Filing): Statement[] {
  const { id, ref, investor, kind, amountCents, destination, proof, nowMs } = filing
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
    hold(db, { id, investor, amountCents }, { actor: investor, nowMs }),
  ]
}
