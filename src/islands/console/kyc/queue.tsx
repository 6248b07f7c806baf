import { lazy, Suspense } from 'react'
import {
  listKycQueue,
  type OperatorKyc,
  rejectKyc,
  type rejectKycBody,
  SEALED_WORDS,
} from '../../../contract/console/kyc.ts'
import { isolate } from '../../../contract/isolate.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { CaseLoading } from '../cases/Case.tsx'
import type { DecisionProps } from '../cases/ConfirmedForm.tsx'
import {
  buildAgeColumn,
  buildStatusColumn,
  investorColumn,
  listInvestorFacts,
  refColumn,
} from '../cases/columns.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { CaseContext, QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { rejectIt } from '../cases/ReasonForm.tsx'
import { listScreeningFact } from '../cases/ScreeningResult.tsx'
import { KeyNoticeAboveQueue } from '../reviewerKeys/KeyNotice.tsx'
import { describeCountry } from '../withdrawals/words.ts'
import { ApproveIdentity } from './ApproveIdentity.tsx'
import { readProposal } from './CheckedForm.tsx'

// Needed once a case is open.
const Documents = lazy(async () => ({ default: (await import('./Documents.tsx')).Documents }))

// Rare.
const ApproveAddress = lazy(async () => ({ default: (await import('./ApproveAddress.tsx')).ApproveAddress }))
const ReopenIdentity = lazy(async () => ({ default: (await import('./ReopenIdentity.tsx')).ReopenIdentity }))

export function KycQueue() {
  return <QueueScreen kind={kyc} />
}

/** /operator/kyc: identity documents and proofs of address, and the decisions about them. */
const kyc: QueueKind<OperatorKyc> = {
  endpoint: listKycQueue,
  plural: 'documents',
  singular: 'document',
  fileName: 'identity-documents',
  searchedBy: 'Name, e-mail or reference',
  filters: [
    {
      value: 'pending',
      label: 'Pending',
      query: { status: 'pending', waits: 'operator' },
      counted: ['kyc'],
    },
    { value: 'hold', label: 'On hold', query: { status: 'pending', waits: 'investor' }, waits: true },
    { value: 'approved', label: 'Approved' },
    {
      value: 'expired',
      label: 'Expired',
      query: { status: 'approved', expired: 'true' },
      counted: ['expired_document'],
    },
    { value: 'rejected', label: 'Rejected' },
    { value: '', label: 'All' },
  ],
  workOf: ({ expired }) => (expired ? 'expired_document' : 'kyc'),
  columns: [
    refColumn,
    investorColumn,
    { key: 'document', header: 'Document', narrow: 'start', cell: ({ document }) => document },
    buildAgeColumn(({ status }) => status === 'pending'),
    buildStatusColumn(({ status }) => <Status status={status} />),
  ],
  isPending: ({ status, expired }) => status === 'pending' || expired === true,
  above: KeyNoticeAboveQueue,
  titleOf: (row) => (row ? `${TITLES[row.kind]} ${row.ref}, ${isolate(row.investor.name)}` : 'Document'),
  nameOf: ({ ref, investor }) => `${ref}, ${isolate(investor.name)}`,
  evidence: (row, { isDocumentOpen, openDocument, isContinued }) => (
    <Suspense fallback={<CaseLoading what="document" />}>
      <Documents row={row} isOpen={isDocumentOpen} onOpen={openDocument} isContinued={isContinued} />
    </Suspense>
  ),
  details: (row) => (
    <Facts
      facts={[
        { label: 'Status', value: <Status status={row.status} /> },
        ...listInvestorFacts(row.investor),
        { label: 'Document', value: row.document },
        row.documentName !== null && { label: 'Name on the document', value: row.documentName },
        row.documentName !== null &&
          row.status === 'pending' && {
            label: 'Review again',
            value: 'It was approved before. The investor has changed the full name since.',
          },
        ...listAddressFacts(row),
        row.bornOn !== null && {
          label: 'Date of birth',
          value: <DateTime at={row.bornOn} show="date" timeZone="UTC" />,
        },
        row.documentExpiresOn !== null && {
          label: row.expired ? 'Expired' : 'Expires',
          value: <DateTime at={row.documentExpiresOn} show="date" timeZone="UTC" />,
        },
        row.final && { label: 'Rejected for good', value: 'No other document is accepted' },
        row.finalProposal && {
          label: 'Proposed',
          value: `To reject it for good, by ${isolate(row.finalProposal.by)}: ${isolate(row.finalProposal.reason)}`,
        },
        { label: 'Sent', value: <DateTime at={row.createdAt} /> },
        {
          label: 'Encrypted',
          value: SEALED_WORDS[row.sealedBy],
        },
        row.sample && { label: 'Practice', value: 'Our sample: no person’s document' },
        row.outdated && { label: 'Encrypted to', value: 'Outdated keys' },
        listScreeningFact(row.screening),
        row.reason !== null && { label: 'Reason', value: row.reason },
      ]}
    />
  ),
  investorOf: ({ investor }) => investor._id,
  notice: ({ status, finalProposal, screening }) => (
    <>
      {status === 'pending' && finalProposal && (
        <Notice title="Proposed: reject it for good">
          <bdi>{finalProposal.by}</bdi> proposed it: <bdi>{finalProposal.reason}</bdi>
        </Notice>
      )}
      {status === 'pending' && screening?.hit?.cleared === null && (
        <Notice tone="caution" title="Compliance must clear the hit first">
          The person may be on the sanctions list, so nothing can be approved.{' '}
          <a href={`/operator/sanctions?status=&open=${screening.hit._id}`}>See the hit</a>
        </Notice>
      )}
    </>
  ),
  decisions: listKycDecisions,
  outcomeOf: ({ kind, status, investor, final }) =>
    status === 'pending'
      ? {
          tone: 'success',
          title: 'Proposed',
          text: 'Nothing changes until another reviewer confirms it.',
        }
      : status === 'approved'
        ? {
            tone: 'success',
            title: 'Approved',
            text: `${isolate(investor.name)} can now ${kind === 'address' ? 'withdraw any amount' : 'deposit and withdraw'}. We told them by mail.`,
          }
        : {
            tone: 'success',
            title: final ? 'Rejected for good' : 'Rejected',
            text: `We sent ${isolate(investor.name)} the reason. ${final ? 'No other document is accepted.' : 'They can send another picture.'}`,
          },
}

const TITLES = { identity: 'Identity document', address: 'Proof of address' } as const

function listAddressFacts({ address }: OperatorKyc): readonly (Fact | false)[] {
  if (address === undefined) return []
  const { ofAccount, countryOfAccount, issuedOn, country } = address
  return [
    { label: 'Address in the profile', value: ofAccount ?? 'None' },
    { label: 'Country in the profile', value: countryOfAccount },
    issuedOn !== null && {
      label: 'Issued on',
      value: <DateTime at={issuedOn} show="date" timeZone="UTC" />,
    },
    country !== null && { label: 'Country on the document', value: describeCountry(country) },
  ]
}

function listKycDecisions(
  row: OperatorKyc,
  { isDocumentOpen, me }: CaseContext,
): readonly QueueDecision<OperatorKyc>[] {
  const { status, investor, expired, final, finalProposal } = row
  const scope = 'operator:kyc.decide'
  const document = row.document.toLowerCase()
  const isAddress = row.kind === 'address'
  const reject = {
    kind: isAddress ? 'addressRejection' : 'identityRejection',
    words: { name: row.investor.name, ref: row.ref },
    endpoint: rejectKyc,
    told: 'the investor',
  } as const
  if (final)
    return [
      {
        label: 'Propose to accept another document',
        // Only administrators have it, who decide about these proposals.
        scope: 'operator:settings.write',
        panel: (props) => (
          <Suspense fallback={<CaseLoading what="form" />}>
            <ReopenIdentity {...props} />
          </Suspense>
        ),
      },
    ]
  if (expired)
    return [
      rejectIt(scope, 'Ask for a new document', {
        ...reject,
        consequence: `The ${document} of ${isolate(investor.name)} has expired. They cannot deposit or withdraw until they have sent another and it is approved.`,
        confirmLabel: 'Ask for a new document',
      }),
    ]
  if (status !== 'pending') return []
  const Approve = isAddress ? ApproveAddress : ApproveIdentity
  const hasOpenHit = row.screening?.hit?.cleared === null
  const approve: QueueDecision<OperatorKyc> = {
    label: isAddress ? 'Approve address' : 'Approve identity',
    key: 'a',
    scope,
    isOpen: finalProposal === undefined,
    panel: (props: DecisionProps<OperatorKyc>) => (
      <Suspense fallback={<CaseLoading what="form" />}>
        <Approve {...props} isDocumentOpen={isDocumentOpen} />
      </Suspense>
    ),
  }
  const decisions: readonly QueueDecision<OperatorKyc>[] = [
    ...(hasOpenHit ? [] : [approve]),
    rejectIt<OperatorKyc>(scope, 'Reject document', {
      ...reject,
      body: readProposal(row),
      consequence: `The ${document} of ${isolate(investor.name)} is rejected. They can send another picture.`,
      confirmLabel: 'Reject the document',
    }),
  ]
  if (isAddress) return decisions
  const rejectForGood: QueueDecision<OperatorKyc> = {
    ...rejectIt<OperatorKyc, typeof rejectKycBody>(
      scope,
      finalProposal ? 'Confirm: reject for good' : 'Propose to reject for good',
      {
        ...reject,
        kind: 'finalRejection',
        body: { final: true },
        firstReason: finalProposal?.reason,
        consequence: `${finalProposal ? '' : 'Once another reviewer confirms it: '}The ${document} of ${isolate(investor.name)} is rejected, and no other one is accepted. We tell them so, and how to ask for another look. Two administrators can undo it.`,
        confirmLabel: finalProposal ? 'Reject for good' : 'Propose to reject for good',
      },
    ),
    closed: findWhyNotForGood(finalProposal, me, isDocumentOpen),
    key: 'f',
    isOpen: finalProposal !== undefined,
  }
  return finalProposal ? [rejectForGood, ...decisions] : [...decisions, rejectForGood]
}

function findWhyNotForGood(
  proposal: OperatorKyc['finalProposal'],
  me: CaseContext['me'],
  isDocumentOpen: boolean,
): string | undefined {
  if (proposal !== undefined && proposal.byId === me?._id)
    return 'You proposed to reject it for good. Another reviewer confirms it.'
  if (isDocumentOpen) return undefined
  return `Open the document to ${proposal ? 'confirm' : 'propose'} the rejection for good.`
}
