import {
  clearSanctionsHit,
  listSanctionsHits,
  type SanctionsHit,
} from '../../../contract/console/sanctions.ts'
import { isolate } from '../../../contract/isolate.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Status } from '../../../design/Status.tsx'
import { CaseDetails } from '../cases/Case.tsx'
import { buildAgeColumn, buildStatusColumn, investorColumn, listInvestorFacts } from '../cases/columns.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { QueueKind } from '../cases/queueKind.ts'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { ListEntries } from '../cases/ScreeningResult.tsx'

export function SanctionsQueue() {
  return <QueueScreen kind={sanctions} />
}

const isOpen = ({ status }: SanctionsHit) => status === 'open'

/** /operator/sanctions: people who may be on the sanctions list. */
const sanctions: QueueKind<SanctionsHit> = {
  endpoint: listSanctionsHits,
  plural: 'hits',
  singular: 'hit',
  filters: [
    { value: 'open', label: 'Open', counted: ['sanctions_hit'] },
    { value: 'cleared', label: 'Cleared' },
    { value: '', label: 'All' },
  ],
  workOf: (hit) => (isOpen(hit) ? 'sanctions_hit' : undefined),
  columns: [
    { ...investorColumn, narrow: 'line' },
    { key: 'entry', header: 'May be', narrow: 'start', cell: ({ entries }) => entries[0]?.name },
    buildAgeColumn(isOpen),
    buildStatusColumn(({ status }) => <Status status={status} />),
  ],
  isPending: isOpen,
  titleOf: () => 'Possible hit on the sanctions list',
  nameOf: ({ investor }) => isolate(investor.name),
  details: ({ investor, entries, documentName, bornOn, country, createdAt }) => (
    <CaseDetails
      facts={[
        ...listInvestorFacts(investor),
        { label: 'Name on the document', value: documentName ?? 'No document was approved' },
        {
          label: 'Date of birth',
          value: bornOn === null ? 'Not recorded' : <DateTime at={bornOn} show="date" timeZone="UTC" />,
        },
        { label: 'Country', value: country },
        { label: 'May be', value: <ListEntries entries={entries} /> },
        { label: 'Found', value: <DateTime at={createdAt} /> },
      ]}
    />
  ),
  investorOf: ({ investor }) => investor._id,
  decisions: (hit) =>
    isOpen(hit)
      ? [
          {
            label: 'Clear the hit',
            key: 'a',
            scope: 'operator:sanctions.decide',
            panel: (props) => (
              <ReasonForm
                {...props}
                endpoint={clearSanctionsHit}
                label="Why it is another person"
                hint="Only operators read it. Compare date of birth, country and full name with the entry."
                consequence={`The identity of ${isolate(hit.investor.name)} can be approved, and withdrawals can be paid. A changed or further entry opens a new hit.`}
                confirmLabel="Clear the hit"
                variant="primary"
                atOnce
              />
            ),
          },
        ]
      : [],
  outcomeOf: ({ investor }) => ({
    tone: 'success',
    title: 'Cleared',
    text: `What waited for ${isolate(investor.name)} can be decided. Your reason stands in each of their cases.`,
  }),
}
