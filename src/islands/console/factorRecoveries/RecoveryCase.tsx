import { useState } from 'react'
import {
  type FactorRecovery,
  proposeFactorRecovery,
  rejectFactorRecovery,
} from '../../../contract/console/factorRecoveries.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { TextArea } from '../../../design/TextArea.tsx'
import { CaseFrame } from '../cases/Case.tsx'
import { ConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { Decide } from '../cases/Decide.tsx'
import { isOvertaken } from '../cases/decision.ts'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { Said, type SaidProps } from '../cases/Said.tsx'
import { useConfirmedForm } from '../cases/useConfirmedForm.ts'
import { factorsIn, standingOf } from './words.ts'

interface RecoveryCaseProps {
  recovery: FactorRecovery
  settings: Settings | null
  onChanged: () => void
}

/** One investor who lost the second factor: what to compare, proposing the removal, and rejecting it. */
export function RecoveryCase({ recovery, settings, onChanged }: RecoveryCaseProps) {
  const [said, setSaid] = useState<SaidProps | null>(null)
  const say = (words: SaidProps) => {
    setSaid(words)
    onChanged()
  }
  const overtaken = (text: string) => say({ tone: 'caution', title: 'Nothing was done', text })
  const { investor, document, proposal, effectiveAt, status } = recovery
  return (
    <CaseFrame>
      {said !== null && <Said {...said} />}
      <Facts
        facts={[
          { label: 'Status', value: standingOf(recovery) },
          { label: 'Investor', value: investor.name },
          { label: 'E-mail', value: investor.email },
          { label: 'Requested', value: <DateTime at={recovery.filedAt} /> },
          { label: 'Second factors', value: factorsIn(recovery.methods) },
          effectiveAt !== null && { label: 'Removed on', value: <DateTime at={effectiveAt} /> },
          {
            label: 'Identity document',
            value:
              document === null ? (
                'None that is approved'
              ) : (
                <a href={`/operator/kyc?status=approved&open=${document._id}`}>{document.ref}</a>
              ),
          },
        ]}
      />
      <Notice title="Check who it is">
        The investor gave the password and a mailed code, and a thief may have both. Speak with the person, by
        video for instance, and compare them with the identity document. Two reviewers do so, each on their
        own.
      </Notice>
      {proposal !== null && (
        <div className="row">
          <ButtonLink href={`/operator/proposals?status=&open=${proposal._id}`}>See the proposal</ButtonLink>
        </div>
      )}
      {said === null && (
        <Decide
          choices={[
            {
              label: 'Propose the removal',
              intent: 'approve',
              scope: 'operator:kyc.decide',
              closed: status === 'filed' ? undefined : 'The removal is proposed already.',
              panel: (onCancel) => (
                <ProposeForm
                  recovery={recovery}
                  onProposed={() =>
                    say({
                      tone: 'success',
                      title: 'Proposed',
                      text: 'Another reviewer checks the identity and decides. Nothing has changed until then.',
                    })
                  }
                  onOvertaken={overtaken}
                  onCancel={onCancel}
                />
              ),
            },
            {
              label: 'Reject it',
              intent: 'reject',
              scope: 'operator:kyc.decide',
              panel: (onCancel) => (
                <ReasonForm
                  row={recovery}
                  endpoint={rejectFactorRecovery}
                  settings={settings}
                  kind="identityRejection"
                  hint="The investor reads it."
                  consequence={`${investor.name} keeps the second factor, and can ask again.`}
                  confirmLabel="Reject the request"
                  onDecided={() =>
                    say({ tone: 'success', title: 'Rejected', text: 'The investor was told by mail.' })
                  }
                  onOvertaken={overtaken}
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

interface ProposeFormProps {
  recovery: FactorRecovery
  onProposed: () => void
  onOvertaken: (msg: string) => void
  onCancel: () => void
}

function ProposeForm({ recovery, onProposed, onOvertaken, onCancel }: ProposeFormProps) {
  const form = useConfirmedForm({
    endpoint: proposeFactorRecovery,
    params: { id: recovery._id },
    onDone: onProposed,
    onFailure: (failure) => {
      if (isOvertaken(failure)) onOvertaken(failure.msg)
    },
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review"
      confirmLabel={() => 'Propose the removal'}
      onCancel={onCancel}
      summary={({ reason }) => (
        <>
          <p>
            Once another reviewer approves it, {recovery.investor.name} is told by mail. 72 hours later all
            second factors and recovery codes are removed and every session ends.
          </p>
          <p>
            <span className="soft">How the identity was checked: </span>
            {reason.trim()}
          </p>
        </>
      )}
    >
      <TextArea
        label="How the identity was checked"
        rows={3}
        maxLength={500}
        hint="Operators read it."
        {...form.field('reason')}
      />
    </ConfirmedForm>
  )
}
