import { useState } from 'react'
import {
  type FactorRecovery,
  listFactorRecoveries,
  proposeFactorRecovery,
  rejectFactorRecovery,
} from '../../../contract/console/factorRecoveries.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import type { Column } from '../../../design/Table.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { CaseFrame, nothingDone, OutcomeNotice, type OutcomeWords } from '../cases/Case.tsx'
import { investorColumn, investorFacts, NoWrapDate } from '../cases/columns.tsx'
import { Decide } from '../cases/Decide.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { factorNames, statusOf } from './words.ts'

/** Requests to remove lost second factors, above the identity documents. Hidden if there are none. */
export function FactorRecoveries({ settings }: { settings: Settings | null }) {
  const open = useResource('factor recoveries', () =>
    call(listFactorRecoveries, { query: { status: 'open', limit: '100' } }),
  )
  const [chosen, choose] = useState<FactorRecovery | null>(null)
  if (open.state === 'failed') return <LoadFailure msg={open.msg} onRetry={open.reload} />
  if (open.state !== 'ready' || (open.data.length === 0 && chosen === null)) return null
  return (
    <TablePanel
      title="Lost second factors"
      columns={columns}
      rows={open.data}
      rowKey={({ _id }) => _id}
      emptyText="Nobody waits."
      onOpen={choose}
    >
      <Modal open={chosen !== null} onClose={() => choose(null)} title="Lost second factor" size="large">
        {chosen !== null && <RecoveryCase recovery={chosen} settings={settings} onChanged={open.reload} />}
      </Modal>
    </TablePanel>
  )
}

const columns: readonly Column<FactorRecovery>[] = [
  { ...investorColumn, narrow: 'line' },
  { key: 'status', header: 'Status', narrow: 'line', cell: statusOf },
  { key: 'at', header: 'Requested', narrow: 'start', cell: ({ filedAt }) => <NoWrapDate at={filedAt} /> },
]

/** One request: the facts to compare, and proposing or rejecting the removal. */
function RecoveryCase(props: { recovery: FactorRecovery; settings: Settings | null; onChanged: () => void }) {
  const { recovery, settings, onChanged } = props
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  const end = (words: OutcomeWords) => {
    setOutcome(words)
    onChanged()
  }
  const { investor, document, proposal, effectiveAt, status } = recovery
  const common = { row: recovery, onOvertaken: (msg: string) => end(nothingDone(msg)) }
  return (
    <CaseFrame>
      {outcome !== null && <OutcomeNotice {...outcome} />}
      <Facts
        facts={[
          { label: 'Status', value: statusOf(recovery) },
          ...investorFacts(investor),
          { label: 'Requested', value: <DateTime at={recovery.filedAt} /> },
          { label: 'Second factors', value: factorNames(recovery.methods) },
          effectiveAt !== null && { label: 'Removed on', value: <DateTime at={effectiveAt} /> },
          {
            label: 'Identity document',
            value:
              document === null ? (
                'No approved document'
              ) : (
                <a href={`/operator/kyc?status=approved&open=${document._id}`}>{document.ref}</a>
              ),
          },
        ]}
      />
      <Notice title="Check the investor’s identity">
        The investor gave the password and a mailed code, but a thief may have both. Talk to the investor, for
        example by video, and compare them with the identity document. Two reviewers do this, each on their
        own.
      </Notice>
      {proposal !== null && (
        <div className="row">
          <ButtonLink href={`/operator/proposals?status=&open=${proposal._id}`}>See the proposal</ButtonLink>
        </div>
      )}
      {outcome === null && (
        <Decide
          choices={[
            {
              label: 'Propose the removal',
              intent: 'approve',
              scope: 'operator:kyc.decide',
              closed: status === 'filed' ? undefined : 'The removal has already been proposed.',
              panel: (onCancel) => (
                <ReasonForm
                  {...common}
                  endpoint={proposeFactorRecovery}
                  label="How the identity was checked"
                  hint="Other operators can read it."
                  consequence={`Once another reviewer approves it, ${investor.name} gets a mail. 72 hours later all second factors and recovery codes are removed and all sessions end.`}
                  confirmLabel="Propose the removal"
                  what={`Removing the second factor of ${investor.name}`}
                  variant="primary"
                  onDecided={() =>
                    end({
                      tone: 'success',
                      title: 'Proposed',
                      text: 'Nothing changes until another reviewer has checked the identity and approved it.',
                    })
                  }
                  onCancel={onCancel}
                />
              ),
            },
            {
              label: 'Reject removal',
              intent: 'reject',
              scope: 'operator:kyc.decide',
              panel: (onCancel) => (
                <ReasonForm
                  {...common}
                  endpoint={rejectFactorRecovery}
                  settings={settings}
                  kind="identityRejection"
                  hint="The investor reads it."
                  consequence={`${investor.name} keeps the second factor and can ask again.`}
                  confirmLabel="Reject the request"
                  onDecided={() =>
                    end({ tone: 'success', title: 'Rejected', text: 'We sent the investor a mail.' })
                  }
                  onCancel={onCancel}
                />
              ),
            },
          ]}
        />
      )}
    </CaseFrame>
  )
}
