import { useState } from 'react'
import { assignFactorRecovery, unassignFactorRecovery } from '../../../contract/console/assignments.ts'
import type { Assignment } from '../../../contract/console/cases.ts'
import {
  type FactorRecovery,
  listFactorRecoveries,
  proposeFactorRecovery,
  rejectFactorRecovery,
} from '../../../contract/console/factorRecoveries.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { isolate } from '../../../contract/isolate.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import type { Column } from '../../../design/Table.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { formatAge } from '../cases/age.ts'
import { describeAssignment } from '../cases/assignedWords.ts'
import { CaseFrame, describeNothingDone, OutcomeNotice, type OutcomeWords } from '../cases/Case.tsx'
import { CaseAssignment } from '../cases/CaseAssignment.tsx'
import { investorColumn, listInvestorFacts, NoWrap } from '../cases/columns.tsx'
import { Decide } from '../cases/Decide.tsx'
import { loadPendingCounts } from '../cases/pendingCounts.ts'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { describeFactors, describeRecoveryStatus } from './words.ts'

const ASSIGNMENT = {
  assign: assignFactorRecovery,
  unassign: unassignFactorRecovery,
  scope: 'operator:kyc.decide',
} as const

/** Requests to remove lost second factors, above the identity documents. Hidden if there are none. */
export function FactorRecoveries({ settings }: { settings: Settings | null }) {
  const open = useResource('factor recoveries', () =>
    call(listFactorRecoveries, { query: { status: 'open', order: 'oldest', limit: '100' } }),
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
      emptyText="No open requests."
      onOpen={choose}
    >
      <Modal open={chosen !== null} onClose={() => choose(null)} title="Lost second factor" size="large">
        {chosen !== null && (
          <RecoveryCase
            key={chosen._id}
            // The list has the newest state, until the request has ended and left it.
            recovery={open.data.find(({ _id }) => _id === chosen._id) ?? chosen}
            settings={settings}
            onChanged={(recovery) => {
              if (recovery) choose(recovery)
              open.reload()
              loadPendingCounts()
            }}
          />
        )}
      </Modal>
    </TablePanel>
  )
}

const columns: readonly Column<FactorRecovery>[] = [
  { ...investorColumn, narrow: 'line' },
  {
    key: 'status',
    header: 'Status',
    narrow: 'line',
    cell: (recovery) => (
      <>
        <span>{describeRecoveryStatus(recovery)}</span>
        <Assigned to={recovery.assigned ?? null} />
      </>
    ),
  },
  {
    key: 'age',
    header: 'Age',
    narrow: 'end',
    align: 'end',
    cell: ({ filedAt }) => <NoWrap>{formatAge(filedAt, getServerNow())}</NoWrap>,
  },
  { key: 'at', header: 'Requested', narrow: 'start', cell: ({ filedAt }) => <TableDate at={filedAt} /> },
]

function Assigned({ to }: { to: Assignment | null }) {
  const { me } = useOperator()
  return to === null ? null : <div className="soft small">{describeAssignment(to, me, getServerNow())}</div>
}

/** One request: the facts to compare, and proposing or rejecting the removal. */
interface RecoveryCaseProps {
  recovery: FactorRecovery
  settings: Settings | null
  /** Called with the row from the server's answer, or without one if only the list has it. */
  onChanged: (recovery?: FactorRecovery) => void
}

function RecoveryCase(props: RecoveryCaseProps) {
  const { recovery, settings, onChanged } = props
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  const end = (words: OutcomeWords, changed?: FactorRecovery) => {
    setOutcome(words)
    onChanged(changed)
  }
  const { investor, document, proposal, effectiveAt, status } = recovery
  const common = { row: recovery, onOvertaken: (msg: string) => end(describeNothingDone(msg)) }
  return (
    <CaseFrame>
      {outcome !== null && <OutcomeNotice {...outcome} />}
      <Facts
        facts={[
          { label: 'Status', value: describeRecoveryStatus(recovery) },
          ...listInvestorFacts(investor),
          { label: 'Requested', value: <DateTime at={recovery.filedAt} /> },
          { label: 'Second factors', value: describeFactors(recovery.methods) },
          effectiveAt !== null && { label: 'Removed on', value: <DateTime at={effectiveAt} /> },
          {
            label: 'Identity document',
            value:
              document === null ? (
                'No approved document'
              ) : (
                <a translate="no" href={`/operator/kyc?status=approved&open=${document._id}`}>
                  {document.ref}
                </a>
              ),
          },
        ]}
      />
      <Notice title="Check the investor’s identity">
        The investor gave the password and a mailed code, but a thief may have both. Talk to the investor, for
        example by video, and compare them with the identity document. Two reviewers do this, each on their
        own.
      </Notice>
      {outcome === null && (
        <CaseAssignment
          id={recovery._id}
          kind={ASSIGNMENT}
          assigned={recovery.assigned ?? null}
          onChanged={() => onChanged()}
          onOvertaken={() => onChanged()}
        />
      )}
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
                  hint="Only operators read it."
                  consequence={`Once another reviewer approves it, ${isolate(investor.name)} gets a mail. 72 hours later all second factors and recovery codes are removed and all sessions end.`}
                  confirmLabel="Propose the removal"
                  what={`Removing the second factor of ${isolate(investor.name)}`}
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
                  label="Internal note"
                  hint="Only operators read it. We mail the investor that it was rejected, without a reason."
                  consequence={`${isolate(investor.name)} keeps the second factor and can ask again.`}
                  confirmLabel="Reject the request"
                  onDecided={(row) =>
                    end({ tone: 'success', title: 'Rejected', text: 'We sent the investor a mail.' }, row)
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
