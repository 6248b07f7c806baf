import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { approveKyc } from '../../../contract/console/kyc.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { Button } from '../../../design/Button.tsx'
import { Form } from '../../../design/Form.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { isOvertaken } from './ConfirmedForm.tsx'
import styles from './cases.module.css'
import { withFactor } from './factor.ts'

/** What every form that decides something gets. */
export interface DecisionProps<Row> {
  row: Row
  /** Called with the row as the server answered it. */
  onDecided: (row: Row) => void
  /** Called with the server's sentence when the row was decided, changed or removed meanwhile. */
  onOvertaken: (msg: string) => void
  onCancel: () => void
}

export interface ConfirmOnlyProps<Row extends { _id: string }> extends DecisionProps<Row> {
  /** An endpoint that takes only the row's id. */
  endpoint: Endpoint<NonNullable<(typeof approveKyc)['body']>, z.ZodMiniType<undefined>, Row>
  confirmLabel: string
  /** What a second factor confirms, in words, where the endpoint asks for one. */
  what?: string
  /** What is about to happen. */
  children: ReactNode
}

/** The confirming step of a decision without fields. */
export function ConfirmOnly<Row extends { _id: string }>(props: ConfirmOnlyProps<Row>) {
  const { row, endpoint, confirmLabel, what, onDecided, onOvertaken, onCancel, children } = props
  const { shell } = useEndpointForm({
    endpoint,
    params: { id: row._id },
    bodyOf: () => ({}),
    ...(what !== undefined && { send: withFactor(endpoint, what) }),
    failures: 'form',
    onDone: onDecided,
    onFailure: (failure) => {
      if (isOvertaken(failure)) onOvertaken(failure.msg)
    },
  })
  return (
    <Form
      {...shell}
      submitLabel={confirmLabel}
      actions={<CancelButton hidden={shell.pending} onClick={onCancel} />}
    >
      {/* It takes the focus, so that it is read before it is confirmed. */}
      <div className={styles.summary} tabIndex={-1} data-read-first>
        {children}
      </div>
    </Form>
  )
}

/** Leaves a form. Hidden while the form is sent, where that cannot be undone. */
export function CancelButton({ hidden = false, onClick }: { hidden?: boolean; onClick: () => void }) {
  return hidden ? null : (
    <Button variant="quiet" onClick={onClick}>
      Cancel
    </Button>
  )
}
