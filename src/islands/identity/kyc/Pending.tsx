import type { KycRecord } from '../../../contract/identity/kyc.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { Looks, sealedFact } from './Looks.tsx'

/** A document waits for its review. */
export function Pending({ record }: { record: KycRecord }) {
  return (
    <Panel title="Your document is awaiting review">
      <p>
        There is nothing to do for now. Once a reviewer has decided you get a mail, and this page says so.
      </p>
      <Facts
        facts={[
          { label: 'Verification method', value: record.document },
          { label: 'Submitted', value: <DateTime at={record.createdAt} /> },
          { label: 'Status', value: <Status status={record.status} label="Awaiting review" /> },
          sealedFact(record),
        ]}
      />
      <Looks {...record} />
    </Panel>
  )
}
