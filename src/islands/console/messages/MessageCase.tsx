import { type ContactMessage, closeMessage } from '../../../contract/console/messages.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { CaseFrame } from '../cases/Case.tsx'
import { CaseMissing } from '../cases/CaseMissing.tsx'
import { ConfirmOnly } from '../cases/ConfirmOnly.tsx'
import { Decide } from '../cases/Decide.tsx'
import { Known } from '../cases/Known.tsx'
import { Outcome } from '../cases/Outcome.tsx'
import type { QueueCaseProps } from '../cases/QueueScreen.tsx'
import { useDecision } from '../cases/useDecision.ts'
import styles from './MessageCase.module.css'

/** One message, in full and as text; it is answered by mail and then closed. */
export function MessageCase({ listed, isListLoading, onDecided, ...props }: QueueCaseProps<ContactMessage>) {
  const decision = useDecision({
    current: listed,
    outcomeOf: () => ({ tone: 'success', title: 'Closed', text: 'The message is marked as answered.' }),
    deciderOf: ({ closedBy }) => closedBy,
    onDecided,
    refresh: async () => {
      props.onOvertaken()
      return null
    },
  })
  const { row, outcome } = decision
  if (row === undefined) return <CaseMissing what="message" isListLoading={isListLoading} />
  return (
    <CaseFrame>
      {outcome !== null && <Outcome outcome={outcome} onClose={props.onClose} onNext={props.onNext} />}
      <Facts
        facts={[
          { label: 'From', value: row.name },
          { label: 'E-mail', value: <a href={mailTo(row.email)}>{row.email}</a> },
          { label: 'Came in', value: <DateTime at={row.createdAt} /> },
          row.closedBy !== null && { label: 'Closed by', value: row.closedBy },
        ]}
      />
      <p className={styles.message}>{row.message}</p>
      {row.investor !== null && (
        <>
          <p className="soft small">
            The address is an investor’s. Anybody can write under it: nothing here proves who did.
          </p>
          <Known id={row.investor._id} />
        </>
      )}
      {outcome === null && row.status === 'open' && (
        <Decide
          choices={[
            {
              label: 'Close it',
              intent: 'approve',
              scope: 'operator:messages.write',
              variant: 'primary',
              panel: (onCancel) => (
                <ConfirmOnly
                  {...decision.props}
                  row={row}
                  onCancel={onCancel}
                  endpoint={closeMessage}
                  confirmLabel="Close the message"
                >
                  <p>The message of {row.name} is marked as answered.</p>
                </ConfirmOnly>
              ),
            },
          ]}
        />
      )}
    </CaseFrame>
  )
}

/** What an address may hold would otherwise add a subject or a copy to the mail. */
function mailTo(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`
}
