import type { Proposal } from '../../../contract/console/proposals.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import { coinOnNetwork } from '../cases/coinWords.ts'
import { ReceivingAddress } from '../cases/ReceivingAddress.tsx'
import styles from './ProposalFacts.module.css'
import { fromTo, operatorFact, subjectOf, TOPIC_LABELS } from './words.ts'

/** All that a proposal says. */
export function ProposalFacts({ proposal }: { proposal: Proposal }) {
  const { status, investor, amount, request, wallet, changes, reviewerKey, announcement } = proposal
  const { reason, decidedBy, decidedAt, rejection } = proposal
  return (
    <Facts
      facts={[
        { label: 'Status', value: <Status status={status} /> },
        investor && { label: 'Investor', value: investor.name },
        investor && { label: 'E-mail', value: investor.email },
        amount !== undefined && { label: 'Amount', value: <Money value={amount} /> },
        request && { label: 'Request', value: `${request.ref}, ${request.trxType.replaceAll('-', ' ')}` },
        request && { label: 'Its amount', value: <Money value={request.amount} /> },
        wallet && { label: 'Coin', value: coinOnNetwork(wallet.walletName, wallet.network) },
        wallet && {
          label: 'Address',
          value: <ReceivingAddress {...wallet} />,
        },
        reviewerKey && { label: 'Fingerprint', value: <code>{reviewerKey.fingerprint}</code> },
        reviewerKey && { label: 'Public key', value: <code>{reviewerKey.recipient}</code> },
        announcement && { label: 'To whoever wants', value: TOPIC_LABELS[announcement.topic] },
        announcement && { label: 'Subject', value: announcement.subject },
        announcement && { label: 'Mail', value: <p className={styles.mail}>{announcement.text}</p> },
        proposal.strategy && { label: 'Strategy', value: subjectOf(proposal) },
        proposal.operator && { label: 'Operator', value: operatorFact(proposal.operator) },
        ...(changes ?? []).map((change) => ({ label: change.label, value: fromTo(change) })),
        reason !== null && { label: 'Because', value: reason },
        {
          label: 'Proposed',
          value: (
            <>
              {proposal.proposedBy.name}, <DateTime at={proposal.createdAt} />
            </>
          ),
        },
        decidedBy !== null &&
          decidedAt !== null && {
            label: 'Decided',
            value: (
              <>
                {decidedBy.name}, <DateTime at={decidedAt} />
              </>
            ),
          },
        rejection !== null && { label: 'Rejected because', value: rejection },
      ]}
    />
  )
}
