import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { proposeFactorRecovery } from '../../../src/contract/console/factorRecoveries.ts'
import type * as contract from '../../../src/contract/console/proposalBodies.ts'
import { PROPOSAL_LABELS } from '../../../src/contract/console/proposals.ts'
import { findAddressProblem, normalizeAddress } from '../../../src/contract/money/addresses.ts'
import { COIN_LABELS, getCoinOfNetwork, NETWORK_LABELS } from '../../../src/contract/money/coins.ts'
import { type AnnouncementTopic, SERVICE } from '../../../src/contract/outreach/announcements.ts'
import { ROLES_OF_PROPOSALS } from '../../../src/contract/roles.ts'
import { findWrongSigner, readWallet } from '../../chains/watchWallets/signers.ts'
import { assertUnused } from '../../chains/watchWallets/watchWallets.ts'
import { type ActorCall, accepted, type CallOf, created } from '../../http/call.ts'
import { assertRole } from '../../http/scopes.ts'
import { isDrawdownReason } from '../../investing/trading/judge.ts'
import { readPause } from '../../ledger/payoutPause.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { watchChallenges, watchWallets } from '../../lib/tables/payments.ts'
import { users } from '../../lib/tables/people.ts'
import { requests, wallets } from '../../lib/tables/requests.ts'
import { strategies, strategyEvents } from '../../lib/tables/strategies.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import { assertOwnAddresses } from '../cases/messageToInvestor.ts'
import { assertNotAssigned } from '../cases/workState.ts'
import type { loadRecoveryToPropose } from '../factorRecoveries/recoveries.ts'
import { readInvestors } from '../investors/investor.ts'
import { assertViewed } from '../kyc/views.ts'
import { acceptRisk } from '../risk/accept.ts'
import { isReversible } from './effect.ts'
import { proposeKeyHolders } from './keyHolders.ts'
import { proposeMonthClose } from './monthClose.ts'
import { fileProposal, type NewProposal, readPendingProposals } from './proposal.ts'
import { proposeOperatorChange } from './proposeOperator.ts'
import { proposeSettings } from './settings.ts'
import { proposeVenueAct } from './venue.ts'

type BodyOfKind<Kind extends contract.ProposalBody['kind']> = Extract<contract.ProposalBody, { kind: Kind }>

/**
 * Proposes an act that needs two operators: a bonus, a receiving wallet, settings, a reversal, an announcement, a service notice, an
 * operator's access, or the fate of a suspended strategy. Takes no effect yet. Refuses an operator without a role for the kind.
 */
export async function propose(call: CallOf<typeof contract.propose>) {
  assertRole(call.actor, ROLES_OF_PROPOSALS[call.body.kind])
  // Each kind's own function takes it.
  const proposeKind = PROPOSALS[call.body.kind] as Propose<contract.ProposalBody>
  return fileProposal(call, await proposeKind(call, call.body), created)
}

/**
 * Proposes to remove a lost second factor; another reviewer has to approve. Refuses a recovery that has ended or is already
 * proposed or approved, an identity document that the caller has not opened, and a high risk without a reason. The database
 * checks the first again.
 */
export async function proposeRecovery(
  call: CallOf<typeof proposeFactorRecovery>,
  { recovery, risk, view }: Awaited<ReturnType<typeof loadRecoveryToPropose>>,
) {
  if (recovery.outcome !== null) refuse('already_decided')
  if (recovery.proposal !== null)
    refuse('conflict', { msg: 'The removal of this second factor is already proposed.' })
  assertNotAssigned(recovery, call)
  const { investor, investorName, investorEmail } = recovery
  const decided = { ...recovery, ref: PROPOSAL_LABELS.factor_recovery }
  const { statements, audit } = acceptRisk(call, 'recoveries', risk, decided, call.body.riskReason)
  assertViewed(view)
  return fileProposal(
    call,
    {
      kind: 'factor_recovery',
      reason: call.body.reason,
      payload: { recovery: recovery.id },
      investor,
      investorName,
      investorEmail,
      alongside: () => statements,
      audit,
    },
    accepted,
  )
}

type Propose<Body> = (call: ActorCall, body: Body) => NewProposal | Promise<NewProposal>

const PROPOSALS: { readonly [Kind in contract.ProposalBody['kind']]: Propose<BodyOfKind<Kind>> } = {
  bonus: proposeBonus,
  wallet: proposeWallet,
  settings: (call, { settings, reason }) => proposeSettings(call, settings, reason),
  reversal: proposeReversal,
  announcement: (_, body) => proposeAnnouncement(body, body.topic),
  service_notice: (_, body) => proposeAnnouncement(body, SERVICE),
  operator: proposeOperatorChange,
  strategy: proposeStrategy,
  watch_wallet: proposeWatchWallet,
  venue: proposeVenueAct,
  payout_resumption: proposePayoutResumption,
  identity_reopening: proposeIdentityReopening,
  month_close: proposeMonthClose,
  key_holders: proposeKeyHolders,
}

async function proposeBonus(call: ActorCall, body: BodyOfKind<'bonus'>): Promise<NewProposal> {
  const [[investor]] = await readTogether(
    call.db,
    readInvestors(call.actor.id, sql`u.id = ${body.investor}`, 1),
  )
  if (investor === undefined) refuseField('investor', 'There is no such investor')
  const { kind, amount, reason } = body
  const { id, investorName, investorEmail } = investor
  return { kind, amount, reason, investor: id, investorName, investorEmail }
}

async function proposeWallet(call: ActorCall, body: BodyOfKind<'wallet'>): Promise<NewProposal> {
  const { kind, walletName, type, network } = body
  if (type !== undefined && type !== null && type !== walletName)
    refuseField('type', 'walletName and type must name the same coin')
  if (getCoinOfNetwork(network) !== walletName)
    refuseField('network', `${NETWORK_LABELS[network]} does not support ${COIN_LABELS[walletName]}`)
  const problem = findAddressProblem(network, body.address)
  if (problem !== null) refuseField('address', problem)
  const address = normalizeAddress(network, body.address)
  const active = await call.db
    .select({ id: wallets.id })
    .from(wallets)
    .where(and(eq(wallets.network, network), eq(wallets.address, address), isNull(wallets.retiredAt)))
  if (active.length > 0) refuse('conflict', { msg: 'This address is already a receiving wallet.' })
  return { kind, payload: { walletName, network, address }, reason: body.reason ?? null }
}

async function proposeReversal(call: ActorCall, body: BodyOfKind<'reversal'>): Promise<NewProposal> {
  const { kind, reason, internalNote } = body
  // The investor reads the reason that the second operator approves.
  await assertOwnAddresses(call, 'reason', reason)
  const [r, u] = [alias(requests, 'r'), alias(users, 'u')]
  const which = sql`r.id = ${body.request} OR r.ref = ${body.request.toUpperCase()}`
  const [[request], pending] = await readTogether(
    call.db,
    selectRows({
      ...getTableColumns(r),
      investorName: u.displayName,
      investorEmail: u.email,
    })
      .from(r)
      .innerJoin(u, eq(u.id, r.investor))
      .where(which),
    readPendingProposals(sql`request IN (SELECT r.id FROM requests r WHERE ${which})`),
  )
  if (request === undefined) refuseField('request', 'There is no such request')
  if (!isReversible(request))
    refuse('conflict', { msg: 'Only a credited deposit or a completed withdrawal can be reversed.' })
  if (pending.length > 0) refuse('conflict', { msg: 'A reversal of this request is already proposed.' })
  return {
    kind,
    reason,
    request,
    alongside: () =>
      addInternalNote(call, request.investor, `Reversal of ${request.ref} proposed`, internalNote),
  }
}

function proposeAnnouncement(
  { kind, subject, text, reason }: BodyOfKind<'announcement'> | BodyOfKind<'service_notice'>,
  topic: AnnouncementTopic,
): NewProposal {
  return { kind, payload: { topic, subject, text }, reason: reason ?? null }
}

/** Every key of the wallet must have signed a message that was issued for it within the last week. */
async function proposeWatchWallet(call: ActorCall, body: BodyOfKind<'watch_wallet'>): Promise<NewProposal> {
  const { db, env, nowMs } = call
  const { kind, chain, message, signatures, reason } = body
  const wallet = readWallet(env, chain, body.descriptor)
  await assertUnused(call, wallet.descriptor)
  const [[issued], [active]] = await readTogether(
    db,
    selectRows({ expiresAt: watchChallenges.expiresAt })
      .from(watchChallenges)
      .where(sql`message = ${message} AND chain = ${chain} AND descriptor = ${wallet.descriptor}`),
    selectRows({ id: watchWallets.id })
      .from(watchWallets)
      .where(and(eq(watchWallets.chain, chain), isNull(watchWallets.retiredAt))),
  )
  if (active !== undefined)
    refuse('conflict', { msg: 'This chain has an active watch-only wallet. Please retire it first.' })
  if (issued === undefined)
    refuseField('message', 'This message was not issued for this wallet. Please request one')
  if (issued.expiresAt < nowMs)
    refuseField('message', 'This message is older than a week. Please request a new one')
  if (signatures.length !== wallet.signers.length)
    refuseField(
      'signatures',
      `This wallet has ${wallet.signers.length} keys. Please give a signature of each`,
    )
  const wrong = findWrongSigner(env, chain, wallet, { message, signatures })
  if (wrong !== null)
    refuseField(
      'signatures',
      `The signature of key ${wrong.key + 1} does not match the message and ${wrong.address}`,
    )
  return { kind, reason, payload: { chain, descriptor: wallet.descriptor, message, signatures } }
}

async function proposeStrategy(call: ActorCall, body: BodyOfKind<'strategy'>): Promise<NewProposal> {
  const { kind, strategy, action, reason } = body
  await assertOwnAddresses(call, 'reason', reason)
  const [s, e] = [alias(strategies, 's'), alias(strategyEvents, 'e')]
  const [[current], pending] = await readTogether(
    call.db,
    selectRows({ status: s.status, actor: e.actor, suspendedFor: e.reason })
      .from(s)
      .innerJoin(
        e,
        sql`e.seq = (SELECT seq FROM strategy_events WHERE strategy = s.slug ORDER BY seq DESC LIMIT 1)`,
      )
      .where(eq(s.slug, strategy)),
    readPendingProposals(sql`kind = 'strategy' AND json_extract(payload, '$.strategy') = ${strategy}`),
  )
  if (current === undefined) return refuseField('strategy', 'There is no such strategy')
  if (current.status !== 'suspended') refuse('conflict', { msg: 'This strategy is not suspended.' })
  // Only the strategy's own reason counts. If an operator's words counted, one operator could block its resumption.
  if (action === 'resume' && current.actor === 'system' && isDrawdownReason(current.suspendedFor))
    refuse('conflict', { msg: 'This strategy hit its own drawdown limit. Only its own rule resumes it.' })
  if (pending.length > 0) refuse('conflict', { msg: 'Another proposal about this strategy is already open.' })
  return { kind, reason, payload: { strategy, action } }
}

async function proposePayoutResumption(
  { db }: ActorCall,
  { kind, reason }: BodyOfKind<'payout_resumption'>,
): Promise<NewProposal> {
  const [pauses, pending] = await readTogether(db, readPause(), readPendingProposals(sql`kind = ${kind}`))
  if (pauses.length === 0) refuse('conflict', { msg: 'Payouts are not paused.' })
  if (pending.length > 0) refuse('conflict', { msg: 'Resuming payouts is already proposed.' })
  return { kind, reason }
}

async function proposeIdentityReopening(
  { db, actor }: ActorCall,
  { kind, reason, investor: id }: BodyOfKind<'identity_reopening'>,
): Promise<NewProposal> {
  const [[investor], final, pending] = await readTogether(
    db,
    readInvestors(actor.id, sql`u.id = ${id}`, 1),
    selectRows({ id: kycSubmissions.id }).from(kycSubmissions).where(sql`user_id = ${id} AND final = 1`),
    readPendingProposals(sql`kind = ${kind} AND investor = ${id}`),
  )
  if (investor === undefined) refuseField('investor', 'There is no such investor')
  if (final.length === 0) refuse('conflict', { msg: 'No identity document was rejected for good.' })
  if (pending.length > 0) refuse('conflict', { msg: 'Accepting another document is already proposed.' })
  const { investorName, investorEmail } = investor
  return { kind, reason, investor: id, investorName, investorEmail }
}
