import type { OperatorKyc } from '../../contract/operator/kyc.ts'
import { listKycQueue } from '../../contract/operator/queues.ts'
import type { Settings } from '../../contract/operator/settings.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Status } from '../../design/Status.tsx'
import type { Column } from '../../design/Table.tsx'
import { OneLine } from '../operator/OneLine.tsx'
import { Person } from '../operator/Person.tsx'
import { type QueueKind, QueueScreen } from '../operator/QueueScreen.tsx'
import type { Filter } from '../operator/StatusFilter.tsx'
import { LostFactors } from '../operator-factor-recoveries/LostFactors.tsx'
import { KeysStanding } from '../operator-keys/KeysStanding.tsx'
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
