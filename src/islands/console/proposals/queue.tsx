import type { reasonBody } from '../../../contract/console/cases.ts'
import {
  CHAIN_LABELS,
  formatAssetQuantity,
  formatCoinOnNetwork,
} from '../../../contract/console/coinWords.ts'
import {
  approveProposal,
  getProposal,
  KINDS_FOR_INVESTORS,
  listProposals,
  PROPOSAL_LABELS,
  type Proposal,
  rejectProposal,
} from '../../../contract/console/proposals.ts'
import {
  describeOperatorChange,
  describeProposal,
  formatChange,
} from '../../../contract/console/proposalWords.ts'
import { getEntryDocument } from '../../../contract/console/treasury.ts'
import { isolate } from '../../../contract/isolate.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import type { AnnouncementTopic } from '../../../contract/outreach/announcements.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import { call, callBlob } from '../../lib/api.ts'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import {
  buildAgeColumn,
  buildStatusColumn,
  KeyHolderName,
  listInvestorFacts,
  ReceivingAddress,
  Unbroken,
} from '../cases/columns.tsx'
import { HardwareWarnings } from '../cases/HardwareWarnings.tsx'
import { Picture } from '../cases/Picture.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { CaseContext, QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { rejectIt } from '../cases/ReasonForm.tsx'
import { SettingEffects } from '../settings/SettingEffects.tsx'
import styles from './Proposals.module.css'
import { ProposeSomething } from './ProposeSomething.tsx'
import { ReversalEffects } from './ReversalEffects.tsx'
import { useReach } from './reach.ts'
import {
  approveLabel,
  describeApproval,
  describeClosedDecisions,
  getReasonLabel,
  TOPIC_LABELS,
} from './words.ts'

export function ProposalQueue() {
  return <QueueScreen kind={proposals} />
}

/** /operator/proposals: changes that need a second operator. */
const proposals: QueueKind<Proposal> = {
  endpoint: listProposals,
  plural: 'proposals',
  singular: 'proposal',
  searchedBy: 'Name, e-mail or reference',
  filters: [
    { value: 'pending', label: 'Pending', query: { status: 'waiting' }, counted: ['proposal', 'reversal'] },
    { value: 'approved', label: 'Approved' },
    { value: 'rejected', label: 'Rejected' },
    { value: '', label: 'All' },
  ],
  workOf: ({ status, kind }) =>
    status !== 'pending' || kind === 'factor_recovery'
      ? undefined
      : kind === 'reversal'
        ? 'reversal'
        : 'proposal',
  columns: [
    {
      key: 'proposal',
      header: 'Proposal',
      narrow: 'line',
      cell: (proposal) => <Unbroken text={describeProposal(proposal)} />,
      below: ({ kind }) => <div className="soft small">{PROPOSAL_LABELS[kind]}</div>,
    },
    { key: 'by', header: 'Proposed by', narrow: 'start', cell: ({ proposedBy }) => proposedBy.name },
    buildAgeColumn(({ status }) => status === 'pending'),
    buildStatusColumn(({ status }) => <Status status={status} />),
  ],
  isPending: ({ status }) => status === 'pending',
  above: ProposeSomething,
  titleOf: (proposal) => (proposal ? nameProposal(proposal) : 'Proposal'),
  nameOf: describeProposal,
  load: (id) => call(getProposal, { params: { id } }),
  evidence: ({ _id, treasury }) =>
    treasury === undefined ? undefined : (
      <Picture
        name={`document ${_id}`}
        load={() => callBlob(getEntryDocument, { params: { id: _id } })}
        alt="Document of the proposed entry"
        saveAs={`entry-${_id.slice(0, 8)}`}
      />
    ),
  details: (proposal) => (
    <>
      <Facts facts={listProposalFacts(proposal)} />
      {proposal.status === 'pending' && proposal.settings && (
        <SettingEffects settings={proposal.settings} until={proposal.createdAt} />
      )}
    </>
  ),
  investorOf: ({ investor, request }) => (investor ?? request?.investor)?._id,
  decisions: listProposalDecisions,
  outcomeOf: (proposal) => {
    const subject = `${describeProposal(proposal)}.`
    const { proposedBy, steps } = proposal
    if (proposal.status === 'rejected' && steps.at(-1)?.by?._id === proposedBy._id)
      return {
        tone: 'success',
        title: 'Withdrawn',
        text: `${subject} Nothing changed. The reason is in the proposal, under Rejected.`,
      }
    return proposal.status === 'approved'
      ? { tone: 'success', title: 'Approved', text: `${subject} ${describeApproval(proposal)}` }
      : {
          tone: 'success',
          title: 'Rejected',
          text: `${subject} Nothing changed. The reason is in the proposal, under Rejected. Tell ${isolate(proposedBy.name)}.`,
        }
  },
}

/** "Settings: Two operators above: $10,000.00 → $5,000.00": its kind, and its words. */
function nameProposal(proposal: Proposal): string {
  const { kind, changes = [] } = proposal
  const words = describeProposal(proposal)
  if (words.startsWith(PROPOSAL_LABELS[kind])) return words
  return `${PROPOSAL_LABELS[kind]}: ${changes.length > 1 ? `${changes.length} changes` : words}`
}

function listProposalFacts(proposal: Proposal) {
  const { status, investor, amount, request, wallet, changes, reviewerKey, announcement } = proposal
  const { reason, rejection, recovery } = proposal
  return [
    { label: 'Status', value: <Status status={status} /> },
    (proposal.treasury || proposal.venue || proposal.strategy) && {
      label: 'What it does',
      value: describeProposal(proposal),
    },
    ...listComparison(proposal),
    proposal.month && { label: 'Month', value: describeProposal(proposal) },
    proposal.retired && { label: 'Chain', value: CHAIN_LABELS[proposal.retired.chain] },
    ...(investor ? listInvestorFacts(investor) : []),
    recovery && {
      label: 'Decided in',
      value: <a href={`/operator/lost-factors?status=&open=${recovery._id}`}>the case of the lost factor</a>,
    },
    ...(request ? listInvestorFacts(request.investor) : []),
    amount !== undefined && { label: 'Amount', value: <Money value={amount} /> },
    request && {
      label: 'Request',
      value: (
        <span>
          <a
            href={`/operator/${request.trxType === 'deposit' ? 'deposits' : 'withdrawals'}?status=&open=${request._id}`}
          >
            <span translate="no">{request.ref}</span>
          </a>
          , {request.trxType.replaceAll('-', ' ')}
        </span>
      ),
    },
    request && { label: 'Its amount', value: <Money value={request.amount} /> },
    proposal.effects && { label: 'What it changes', value: <ReversalEffects effects={proposal.effects} /> },
    wallet && { label: 'Coin', value: formatCoinOnNetwork(wallet.walletName, wallet.network) },
    wallet && { label: 'Address', value: <ReceivingAddress {...wallet} /> },
    ...watchFacts(proposal.watchWallet),
    ...(proposal.keyHolders?.keys ?? []).map(({ keyName, holder }) => ({
      label: `Key ${keyName}`,
      value: <KeyHolderName holder={holder} />,
    })),
    reviewerKey && { label: 'Fingerprint', value: <code translate="no">{reviewerKey.fingerprint}</code> },
    reviewerKey && { label: 'Public key', value: <code translate="no">{reviewerKey.recipient}</code> },
    announcement && { label: 'Topic', value: TOPIC_LABELS[announcement.topic] },
    announcement && { label: 'Subject', value: announcement.subject },
    announcement && { label: 'Mail', value: <p className={styles.mail}>{announcement.text}</p> },
    proposal.sending && { label: 'Mailed to', value: <SendingProgress {...proposal.sending} /> },
    proposal.operator && { label: 'Operator', value: describeOperatorChange(proposal.operator) },
    ...(changes ?? []).map((change) => ({ label: change.label, value: formatChange(change) })),
    reason !== null && { label: getReasonLabel(proposal), value: reason },
    rejection !== null && { label: 'Rejected because', value: rejection },
  ]
}

/** The books and the difference of a pending statement. */
function listComparison({ comparison, treasury }: Proposal) {
  if (comparison === undefined) return []
  const format = (quantity: string) => formatAssetQuantity(quantity, treasury?.to?.asset ?? '')
  return [
    { label: 'Books then', value: format(comparison.books) },
    { label: 'Difference', value: format(comparison.difference) },
  ]
}

function SendingProgress({ mails, finishedAt }: NonNullable<Proposal['sending']>) {
  return (
    <>
      <span>{mails === 1 ? '1 person' : `${formatNumber(mails)} people`}</span>
      {finishedAt === null ? (
        <span> so far. We are still sending it.</span>
      ) : (
        <span>
          , done <DateTime at={finishedAt} />
        </span>
      )}
    </>
  )
}

function AnnouncementReach({ topic }: { topic: AnnouncementTopic }) {
  return (
    <p>
      <span>{useReach(topic)}</span> After your approval it cannot be stopped.
    </p>
  )
}

function watchFacts(wallet: Proposal['watchWallet']) {
  if (wallet === undefined) return []
  const { chain, descriptor, message, signatures } = wallet
  return [
    { label: 'Chain', value: CHAIN_LABELS[chain] },
    { label: 'Descriptor', value: <Copied text={descriptor} what="descriptor" /> },
    { label: 'Signed message', value: <Copied text={message} what="message" /> },
    ...signatures.map((signature, key) => ({
      label: signatures.length === 1 ? 'Signature' : `Signature of key ${key + 1}`,
      value: <Copied text={signature} what="signature" />,
    })),
  ]
}

function listProposalDecisions(proposal: Proposal, { me }: CaseContext): readonly QueueDecision<Proposal>[] {
  const { kind, proposedBy, status } = proposal
  if (status !== 'pending') return []
  const scope = 'operator:proposals.decide'
  const closed = describeClosedDecisions(me, proposal)
  const isOwn = me?._id === proposedBy._id
  const what = describeProposal(proposal)
  const reject = {
    ...rejectIt<Proposal, typeof reasonBody>(scope, isOwn ? 'Withdraw proposal' : 'Reject proposal', {
      kind: 'proposalRejection',
      endpoint: rejectProposal,
      hint: 'Other operators can read it.',
      consequence: `${what}. Nothing changes.`,
      confirmLabel: isOwn ? 'Withdraw the proposal' : 'Reject the proposal',
    }),
    closed: closed.reject,
  }
  // It is approved in the case of the lost factor.
  if (kind === 'factor_recovery') return [reject]
  return [
    {
      label: approveLabel(proposal),
      key: 'a',
      scope,
      closed: closed.approve,
      variant: 'primary',
      panel: (props) => (
        <ConfirmOnly
          {...props}
          endpoint={approveProposal}
          confirmLabel={approveLabel(proposal)}
          what={what}
          risk={KINDS_FOR_INVESTORS.has(kind) ? proposal.risk : undefined}
        >
          <p>
            <strong>{what}</strong>.{' '}
            <span>
              {proposal.operator?.action === 'invite'
                ? 'The invitation is mailed at once.'
                : 'It takes effect at once.'}
            </span>
          </p>
          {proposal.announcement && <AnnouncementReach topic={proposal.announcement.topic} />}
          {proposal.effects && <ReversalEffects effects={proposal.effects} />}
          {listComparison(proposal).map(({ label, value }) => (
            <p key={label}>
              {label}: {value}
            </p>
          ))}
          <HardwareWarnings warnings={proposal.watchWallet?.warnings ?? []} />
          {kind === 'watch_wallet' && (
            <p>
              Each investor then gets their own address from this wallet. Compare the descriptor with the
              wallet’s own software yourself, or with each holder of a key. Do not rely on{' '}
              <bdi>{proposedBy.name}</bdi>.
            </p>
          )}
          {kind === 'watch_wallet_retirement' && (
            <p>
              Nobody gets an address from this wallet then. Deposits and withdrawals of its chain are entered
              and paid by hand until another wallet is approved.
            </p>
          )}
          {kind === 'key_holders' && (
            <p>
              Each holder then hands in the signatures of their own key, and nobody else does. Check with each
              of them that they have the key.
            </p>
          )}
          {kind === 'reviewer_key' && (
            <p>
              New documents will also be encrypted to this key, so its owner can read them. Ask{' '}
              <bdi>{proposedBy.name}</bdi> for the fingerprint in person or by phone. Approve the key only if
              it is the same.
            </p>
          )}
          <p className="soft small">
            <bdi>{proposedBy.name}</bdi> proposed it, so another operator has to approve it.
          </p>
        </ConfirmOnly>
      ),
    },
    reject,
  ]
}
