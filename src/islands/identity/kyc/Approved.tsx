import type { KycRecord } from '../../../contract/identity/kyc.ts'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Looks, sealedFact } from './Looks.tsx'

/** The check is over, and well; the document is kept. */
export function Approved({ record }: { record: KycRecord }) {
  return (
    <>
      <Notice
        tone="success"
        title="Congratulations"
        actions={
          <ButtonLink href="/dashboard/deposit" size="small">
            Deposit
          </ButtonLink>
        }
      >
        Your identity is verified. Deposits and withdrawals are open to you.
      </Notice>
      <Panel title="Your document">
        <Facts
          facts={[
            { label: 'Verification method', value: record.document },
            { label: 'Submitted', value: <DateTime at={record.createdAt} /> },
            sealedFact(record),
          ]}
        />
        <Looks {...record} />
      </Panel>
    </>
  )
}
