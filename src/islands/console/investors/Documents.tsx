import { type InvestorDocument, listInvestorDocuments } from '../../../contract/console/investorFile.ts'
import { SEALED_WORDS } from '../../../contract/console/kyc.ts'
import { isolate } from '../../../contract/isolate.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { usePages } from '../../lib/pages.ts'
import { CaseLoading } from '../cases/Case.tsx'
import type { PartProps } from './InvestorPage.tsx'
import { buildCaseHref } from './words.ts'

/** The identity documents, and who opened each of them when. The pictures are in the queue. */
export function Documents({ investor }: PartProps) {
  const { data, reload, ...more } = usePages(listInvestorDocuments, {}, { id: investor._id })
  if (data.state === 'loading') return <CaseLoading what="documents" />
  if (data.state === 'failed') return <LoadFailure msg={data.msg} onRetry={reload} />
  if (data.rows.length === 0)
    return <EmptyState title="No document">The investor has not sent a document yet.</EmptyState>
  return (
    <div className="stack">
      {data.rows.map((record) => (
        <Document key={record._id} record={record} />
      ))}
      <Pagination {...more} />
    </div>
  )
}

function Document({ record }: { record: InvestorDocument }) {
  const { _id, ref, document, status, reason, decidedAt, decidedBy, looks } = record
  return (
    <Panel title={`${document} ${ref}`}>
      <Facts
        facts={[
          { label: 'Status', value: <Status status={status} /> },
          { label: 'Sent', value: <DateTime at={record.createdAt} /> },
          decidedAt !== null && {
            label: 'Decided',
            value: (
              <>
                <DateTime at={decidedAt} />
                <span>{decidedBy !== null && ` by ${isolate(decidedBy)}`}</span>
              </>
            ),
          },
          reason !== undefined && { label: 'Reason', value: reason },
          {
            label: 'Encrypted',
            value: SEALED_WORDS[record.sealedBy],
          },
          {
            label: 'Looked at',
            value:
              looks.length === 0 ? (
                'Nobody yet'
              ) : (
                <ul>
                  {looks.map(({ at, by }) => (
                    <li key={at + by}>
                      <DateTime at={at} /> by {by}
                    </li>
                  ))}
                </ul>
              ),
          },
        ]}
      />
      <p>
        <a href={buildCaseHref('document', _id)}>Open in KYC</a>
      </p>
    </Panel>
  )
}
