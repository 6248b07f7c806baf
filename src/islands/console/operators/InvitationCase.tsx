import { useState } from 'react'
import { type InvitationRow, withdrawInvitation } from '../../../contract/console/operators.ts'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { CaseFrame } from '../cases/Case.tsx'
import { ConfirmOnly } from '../cases/ConfirmOnly.tsx'
import { Decide } from '../cases/Decide.tsx'
import { nothingDone, OutcomeNotice, type OutcomeWords } from '../cases/Outcome.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { INVITATION_STATUS, roleNames } from './words.ts'

/** One invitation: its status, and withdrawing it. */
export function InvitationCase(props: { invitation: InvitationRow; onChanged: () => void }) {
  const { can } = useOperator()
  const [row, setRow] = useState(props.invitation)
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  return (
    <CaseFrame>
      {outcome !== null && <OutcomeNotice {...outcome} />}
      <Facts
        facts={[
          { label: 'Status', value: <Status {...INVITATION_STATUS[row.status]} /> },
          { label: 'E-mail', value: row.email },
          { label: 'Roles', value: roleNames(row.roles) },
          { label: 'Proposed', value: <DateTime at={row.createdAt} /> },
          row.expiresAt !== null && {
            label: row.status === 'open' ? 'Works until' : 'Worked until',
            value: <DateTime at={row.expiresAt} />,
          },
        ]}
      />
      {row.status === 'awaiting' && (
        <Notice
          title="Nothing was mailed yet"
          actions={
            <ButtonLink href="/operator/proposals" size="small">
              Proposals
            </ButtonLink>
          }
        >
          Another administrator than who proposed it decides. Whoever proposed it takes it back by rejecting
          it.
        </Notice>
      )}
      {outcome === null && row.status === 'open' && can('operator:operators.write') && (
        <Decide
          choices={[
            {
              label: 'Withdraw it',
              variant: 'danger',
              panel: (onCancel) => (
                <ConfirmOnly
                  row={row}
                  endpoint={withdrawInvitation}
                  confirmLabel="Withdraw the invitation"
                  onCancel={onCancel}
                  onDecided={(withdrawn) => {
                    setRow(withdrawn)
                    setOutcome({
                      tone: 'success',
                      title: 'Withdrawn',
                      text: 'The link opens nothing any more.',
                    })
                    props.onChanged()
                  }}
                  onOvertaken={(text) => {
                    setOutcome(nothingDone(text))
                    props.onChanged()
                  }}
                >
                  <p>
                    The link that was mailed to <strong>{row.email}</strong> opens nothing from now on. To
                    invite them again takes two administrators again.
                  </p>
                </ConfirmOnly>
              ),
            },
          ]}
        />
      )}
    </CaseFrame>
  )
}
