import { and, eq, isNull, sql } from 'drizzle-orm'
import { listKeys } from '../../../src/contract/console/settingValues.ts'
import { RECOVERY_DELAY_HOURS } from '../../../src/contract/identity/factorRecovery.ts'
import { SERVICE } from '../../../src/contract/outreach/announcements.ts'
import { site } from '../../../src/site.ts'
import { SYSTEM } from '../../chains/credit/credit.ts'
import { findWrongSigner, readWallet } from '../../chains/watchWallets/signers.ts'
import type { AuditEntry } from '../../http/audit.ts'
import type { ActorCall } from '../../http/call.ts'
import { buildAnnouncementMail } from '../../identity/factorRecovery/mails.ts'
import { requireRecoveryKey } from '../../identity/kyc/recipients.ts'
import { reverseCustody } from '../../ledger/custody.ts'
import { grantBonus, reverseCredit, reversePayout } from '../../ledger/post.ts'
import { recordEvent } from '../../ledger/requestEvents.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import type { Statement } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { kycSubmissions, reviewerKeys } from '../../lib/tables/kyc.ts'
import { announcements } from '../../lib/tables/outreach.ts'
import { watchWallets } from '../../lib/tables/payments.ts'
import { payoutPauses } from '../../lib/tables/payouts.ts'
import { factorRecoveries } from '../../lib/tables/people.ts'
import { wallets } from '../../lib/tables/requests.ts'
import { strategyEvents } from '../../lib/tables/strategies.ts'
import { storeSetting } from '../../platform/settings/values.ts'
import {
  buildBonusGrantedMail,
  buildBonusTakenBackMail,
  buildKycReopenedMail,
  buildWithdrawalReversedMail,
  depositReversed,
} from '../cases/mails.ts'
import { createStep, type RequestFacts } from '../cases/requests.ts'
import { compareStatements } from './compareStatements.ts'
import type { ProposalToDecide } from './decide.ts'
import { buildKeyHoldersEffect } from './keyHolders.ts'
import { buildMonthCloseEffect } from './monthClose.ts'
import { buildOperatorEffect } from './operatorEffect.ts'
import type { ProposalFacts, ProposalOfKind } from './proposal.ts'
import { buildVenueEffect } from './venue.ts'

/** The changes of an approved proposal, besides its own status. */
export interface ProposalEffect {
  readonly statements: readonly Statement[]
  readonly audit: readonly AuditEntry[]
  readonly mails?: readonly Mail[]
}

/** The effect of an approval, committed with it. Refuses `conflict` if the proposal is no longer possible. */
export async function buildEffect(call: ActorCall, found: ProposalToDecide): Promise<ProposalEffect> {
  // Each kind's own builder takes it.
  const build = EFFECTS[found.proposal.kind] as BuildEffect<ProposalFacts>
  return build(call, found.proposal, found)
}

type BuildEffect<Facts> = (
  call: ActorCall,
  proposal: Facts,
  found: ProposalToDecide,
) => ProposalEffect | Promise<ProposalEffect>

const EFFECTS: { readonly [Kind in ProposalFacts['kind']]: BuildEffect<ProposalOfKind<Kind>> } = {
  bonus: buildBonusEffect,
  wallet: buildWalletEffect,
  settings: buildSettingsEffect,
  reversal: buildReversalEffect,
  announcement: buildAnnouncementEffect,
  service_notice: buildAnnouncementEffect,
  reviewer_key: buildReviewerKeyEffect,
  operator: buildOperatorEffect,
  strategy: buildStrategyEffect,
  factor_recovery: buildRecoveryEffect,
  watch_wallet: buildWatchWalletEffect,
  venue: buildVenueEffect,
  watch_wallet_retirement: buildRetirementEffect,
  payout_resumption: buildPayoutResumptionEffect,
  identity_reopening: buildIdentityReopeningEffect,
  treasury: buildTreasuryEffect,
  month_close: buildMonthCloseEffect,
  key_holders: (_, proposal) => buildKeyHoldersEffect(proposal),
}

function buildBonusEffect(
  { db, env, actor, nowMs }: ActorCall,
  proposal: ProposalOfKind<'bonus'>,
): ProposalEffect {
  const { id, investor, amount: amountCents } = proposal
  return {
    statements: [grantBonus(db, { id, investor, amountCents }, { actor: actor.id, nowMs })],
    audit: [{ action: 'bonus.granted', subject: investor, detail: { proposal: id, amountCents } }],
    mails: [buildBonusGrantedMail(env, proposal, amountCents)],
  }
}

function buildWalletEffect({ db, nowMs }: ActorCall, proposal: ProposalOfKind<'wallet'>): ProposalEffect {
  const { walletName, network, address } = proposal.payload
  const id = newId()
  const wallet = {
    id,
    coin: walletName,
    network,
    address,
    simulated: site.mode === 'simulated',
    proposal: proposal.id,
    createdAt: nowMs,
  }
  return {
    statements: [db.insert(wallets).values(wallet)],
    audit: [{ action: 'wallet.added', subject: id, detail: { proposal: proposal.id, network } }],
  }
}

/** The wallet gives addresses from now on. Its proof is checked once more, because no other check ties the descriptor to its keys. */
function buildWatchWalletEffect(
  { db, env, nowMs }: ActorCall,
  proposal: ProposalOfKind<'watch_wallet'>,
): ProposalEffect {
  const { chain, descriptor, message, signatures } = proposal.payload
  const wallet = readWallet(env, chain, descriptor)
  if (findWrongSigner(env, chain, wallet, { message, signatures }) !== null) return refuse('conflict')
  const id = newId()
  return {
    statements: [
      db.insert(watchWallets).values({ id, chain, descriptor, proposal: proposal.id, createdAt: nowMs }),
    ],
    audit: [{ action: 'watch_wallet.added', subject: id, detail: { proposal: proposal.id, chain } }],
  }
}

/** Its chain is no longer proved, and no other wallet of it gives addresses. A trigger refuses a wallet that was retired meanwhile. */
function buildRetirementEffect(
  { db, nowMs }: ActorCall,
  proposal: ProposalOfKind<'watch_wallet_retirement'>,
): ProposalEffect {
  const { wallet } = proposal.payload
  return {
    statements: [
      db
        .update(watchWallets)
        .set({ retiredAt: nowMs, retirement: proposal.id })
        .where(eq(watchWallets.id, wallet)),
    ],
    audit: [{ action: 'watch_wallet.retired', subject: wallet, detail: { proposal: proposal.id } }],
  }
}

/** Triggers book the entry with the approval, so that no part of it can be left out. A statement is compared with the books at once. */
function buildTreasuryEffect(
  { nowMs }: ActorCall,
  { id, payload }: ProposalOfKind<'treasury'>,
): ProposalEffect {
  const { action, from, to, name = '' } = payload
  const detail = { proposal: id, action }
  return {
    statements: to && action === 'statement' ? [compareStatements(nowMs, sql`l.id = ${to.place}`)] : [],
    audit: [{ action: 'treasury.booked', subject: (to ?? from)?.place ?? name, detail }],
  }
}

/** Ends the pause. A trigger refuses a proposal that is older than the pause. */
function buildPayoutResumptionEffect({ db, nowMs }: ActorCall, { id }: ProposalFacts): ProposalEffect {
  return {
    statements: [
      db.update(payoutPauses).set({ liftedBy: id, liftedAt: nowMs }).where(isNull(payoutPauses.liftedAt)),
    ],
    audit: [{ action: 'payouts.resumed', subject: 'payouts', detail: { proposal: id } }],
  }
}

/** Their next document is accepted and reviewed like a first one. */
function buildIdentityReopeningEffect(
  { db, env }: ActorCall,
  proposal: ProposalOfKind<'identity_reopening'>,
): ProposalEffect {
  const { id, investor } = proposal
  return {
    statements: [
      db
        .update(kycSubmissions)
        .set({ final: 0, reopening: id })
        .where(and(eq(kycSubmissions.userId, investor), eq(kycSubmissions.final, 1))),
    ],
    audit: [{ action: 'kyc.final_lifted', subject: investor, detail: { proposal: id } }],
    mails: [buildKycReopenedMail(env, proposal)],
  }
}

/** A resumed strategy trades from its next open on and is measured anew from there. A stopped one only pays out. */
function buildStrategyEffect(
  { db, actor, nowMs }: ActorCall,
  proposal: ProposalOfKind<'strategy'>,
): ProposalEffect {
  const { strategy, action } = proposal.payload
  const kind = action === 'stop' ? 'stopped' : 'resumed'
  const event = { strategy, at: nowMs, kind, reason: proposal.reason, actor: actor.id } as const
  return {
    statements: [db.insert(strategyEvents).values(event)],
    audit: [
      {
        action: action === 'stop' ? 'strategy.stopped' : 'strategy.resumed',
        subject: strategy,
        detail: { proposal: proposal.id },
      },
    ],
  }
}

// Cron writes the mails page by page, because there may be very many.
function buildAnnouncementEffect(
  { db, nowMs }: ActorCall,
  proposal: ProposalOfKind<'announcement' | 'service_notice'>,
): ProposalEffect {
  const { topic, subject, text } = proposal.payload
  return {
    statements: [
      db.insert(announcements).values({
        proposal: proposal.id,
        topic,
        subject,
        text,
        approvedAt: nowMs,
        lastSeq: sql`(SELECT max(seq) FROM users)`,
      }),
    ],
    audit: [
      {
        action: topic === SERVICE ? 'service_notice.approved' : 'announcement.approved',
        subject: proposal.id,
        detail: { topic },
      },
    ],
  }
}

function buildSettingsEffect({ db, nowMs }: ActorCall, proposal: ProposalOfKind<'settings'>): ProposalEffect {
  const { was: _, ...settings } = proposal.payload
  return {
    statements: Object.entries(settings).map(([key, value]) =>
      storeSetting(db, key, value, proposal.id, nowMs),
    ),
    audit: listKeys(settings).map((key) => ({
      action: 'settings.changed',
      subject: key,
      detail: { proposal: proposal.id },
    })),
  }
}

/** Makes the key active: browsers encrypt documents to it from now on. The database retires its owner's former key. */
function buildReviewerKeyEffect(
  { db, env, actor, nowMs }: ActorCall,
  proposal: ProposalOfKind<'reviewer_key'>,
): ProposalEffect {
  // An active key without a recovery key would leave investors no way to send documents.
  requireRecoveryKey(env)
  const { key, fingerprint } = proposal.payload
  return {
    statements: [
      db
        .update(reviewerKeys)
        .set({ approvedBy: actor.id, approvedAt: nowMs })
        .where(eq(reviewerKeys.id, key)),
    ],
    audit: [
      { action: 'reviewer_key.approved', subject: key, detail: { proposal: proposal.id, fingerprint } },
    ],
  }
}

/** Reverses a credit or a payout. A trigger takes back the referral bonus that the credit earned. */
function buildReversalEffect(
  call: ActorCall,
  proposal: ProposalOfKind<'reversal'>,
  { isUndone, bonus }: ProposalToDecide,
): ProposalEffect {
  const { request } = proposal
  if (!isReversible(request)) return refuse('conflict')
  // The system prepared it because the payment was gone. It may be back.
  if (proposal.proposedBy === SYSTEM && !isUndone)
    return refuse('conflict', { msg: 'The payment is back on its chain. Please reject this proposal.' })
  const { db, env, actor, nowMs } = call
  const reason = proposal.reason ?? ''
  const cause = { id: request.id, investor: request.investor, amountCents: request.amount }
  const by = { actor: actor.id, nowMs }
  const isDeposit = request.kind === 'deposit'
  return {
    statements: [
      recordEvent(db, createStep(call, request, 'reversed', { note: reason })),
      ...(isDeposit ? reverseCredit(db, cause, by) : [reversePayout(db, cause, by)]),
      reverseCustody(request.id, isDeposit ? 'in' : 'out', nowMs),
    ],
    audit: [
      {
        action: isDeposit ? 'deposit.reversed' : 'withdrawal.reversed',
        subject: request.id,
        detail: { proposal: proposal.id, amountCents: request.amount },
      },
      ...(bonus === null
        ? []
        : [
            {
              action: 'bonus.reversed' as const,
              subject: bonus.referrer,
              detail: { proposal: proposal.id, referral: bonus.id, amountCents: bonus.amount },
            },
          ]),
    ],
    mails: [
      isDeposit ? depositReversed(env, request, reason) : buildWithdrawalReversedMail(env, request, reason),
      ...(bonus === null ? [] : [buildBonusTakenBackMail(env, bonus, bonus.amount)]),
    ],
  }
}

/** Approving a factor recovery starts the delay, and notifies the owner how to stop it. */
async function buildRecoveryEffect(
  call: ActorCall,
  proposal: ProposalOfKind<'factor_recovery'>,
): Promise<ProposalEffect> {
  const { db, env, nowMs } = call
  const { id: proposalId, investor, investorName, investorEmail } = proposal
  const { recovery } = proposal.payload
  const effectiveAt = nowMs + RECOVERY_DELAY_HOURS * 3_600_000
  const owner = { id: investor, email: investorEmail, displayName: investorName }
  return {
    statements: [
      db
        .update(factorRecoveries)
        .set({ proposal: proposalId, effectiveAt })
        .where(eq(factorRecoveries.id, recovery)),
    ],
    audit: [{ action: 'factor_recovery.approved', subject: investor, detail: { proposal: proposalId } }],
    mails: [await buildAnnouncementMail(env, owner, { id: recovery, effectiveAt }, nowMs)],
  }
}

/** Whether money moved for this request and was not reversed. */
export function isReversible({ kind, status }: Pick<RequestFacts, 'kind' | 'status'>): boolean {
  return status === (kind === 'deposit' ? 'approved' : 'completed')
}
