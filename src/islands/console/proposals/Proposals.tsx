import { listProposals, type Proposal } from '../../../contract/console/proposals.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { OneLine } from '../cases/OneLine.tsx'
import { type QueueKind, QueueScreen } from '../cases/QueueScreen.tsx'
import type { Filter } from '../cases/StatusFilter.tsx'
import { ProposalCase } from './ProposalCase.tsx'
import { ProposeSomething } from './ProposeSomething.tsx'
import { KIND_LABELS, subjectOf } from './words.ts'

/** /operator/proposals: what one operator may not do alone. */
export function Proposals() {
  return <QueueScreen kind={proposals} />
}

const filters: readonly [Filter, ...Filter[]] = [
  { value: 'pending', label: 'Pending', counted: 'proposals' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: '', label: 'All' },
]

const columns: readonly Column<Proposal>[] = [
  { key: 'kind', header: 'Proposal', narrow: 'line', cell: ({ kind }) => KIND_LABELS[kind] },
  { key: 'subject', header: 'About', narrow: 'line', cell: subjectOf },
  { key: 'by', header: 'Proposed by', narrow: 'line', cell: ({ proposedBy }) => proposedBy.name },
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

const proposals: QueueKind<NonNullable<(typeof listProposals)['query']>, Proposal> = {
  endpoint: listProposals,
  what: 'proposals',
  one: 'proposal',
  searchedBy: 'Name, e-mail or reference',
  filters,
  columns,
  waits: ({ status }) => status === 'pending',
  titleOf: (proposal) => (proposal ? KIND_LABELS[proposal.kind] : 'Proposal'),
  Case: ProposalCase,
  above: ProposeSomething,
}
