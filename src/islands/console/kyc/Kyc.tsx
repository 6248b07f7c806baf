import { listKycQueue, type OperatorKyc } from '../../../contract/console/kyc.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { OneLine } from '../cases/OneLine.tsx'
import { Person } from '../cases/Person.tsx'
import { type QueueKind, QueueScreen } from '../cases/QueueScreen.tsx'
import type { Filter } from '../cases/StatusFilter.tsx'
import { LostFactors } from '../factorRecoveries/LostFactors.tsx'
import { KeysStanding } from '../reviewerKeys/KeysStanding.tsx'
import { KycCase } from './KycCase.tsx'

/** /operator/kyc: identity documents, and the decisions about them. */
export function Kyc() {
  return <QueueScreen kind={documents} />
}

function Above({ settings }: { settings: Settings | null }) {
  return (
    <>
      <KeysStanding />
      <LostFactors settings={settings} />
    </>
  )
}

const filters: readonly [Filter, ...Filter[]] = [
  { value: 'pending', label: 'Pending', counted: 'kyc' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: '', label: 'All' },
]

const columns: readonly Column<OperatorKyc>[] = [
  { key: 'ref', header: 'Reference', narrow: 'line', cell: ({ ref }) => <OneLine>{ref}</OneLine> },
  { key: 'investor', header: 'Investor', narrow: 'start', cell: ({ investor }) => <Person {...investor} /> },
  { key: 'document', header: 'Document', narrow: 'end', cell: ({ document }) => document },
  {
    key: 'at',
    header: 'When',
    narrow: 'start',
    cell: ({ createdAt }) => (
      <OneLine>
        <DateTime at={createdAt} />
      </OneLine>
    ),
  },
  { key: 'status', header: 'Status', narrow: 'end', cell: ({ status }) => <Status status={status} /> },
]

const documents: QueueKind<NonNullable<(typeof listKycQueue)['query']>, OperatorKyc> = {
  endpoint: listKycQueue,
  what: 'documents',
  one: 'document',
  searchedBy: 'Name, e-mail or reference',
  filters,
  columns,
  above: Above,
  waits: ({ status }) => status === 'pending',
  titleOf: (row) => (row ? `Identity document ${row.ref}` : 'Identity document'),
  Case: KycCase,
}
