import type { KycRecord } from '../../contract/kyc.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Notice } from '../../design/Notice.tsx'

/** Why the last document was not taken, above the form that takes another. */
export function Rejected({ record }: { record: KycRecord }) {
  return (
    <Notice tone="danger" title="Your document was not accepted">
      <p>
        {record.reason ?? 'The reviewer gave no reason. Please contact support if it is not clear to you.'}
      </p>
      <p className="soft">
        Submitted on <DateTime at={record.createdAt} show="date" />. Please send another picture below.
      </p>
    </Notice>
  )
}
