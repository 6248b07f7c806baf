import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { approveKyc } from '../../../contract/console/kyc.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { Button } from '../../../design/Button.tsx'
import { Form } from '../../../design/Form.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import styles from './ConfirmedForm.module.css'
import { type DecisionProps, isOvertaken } from './decision.ts'
import { withFactor } from './factor.ts'

export interface ConfirmOnlyProps<Row extends { _id: string }> extends DecisionProps<Row> {
  /** An endpoint that asks for nothing but the row. */
  endpoint: Endpoint<NonNullable<(typeof approveKyc)['body']>, z.ZodMiniType<undefined>, Row>
  confirmLabel: string
  /** What is confirmed, in words, where the endpoint asks for a second factor. */
  what?: string
  /** What is about to happen. */
  children: ReactNode
}

/** The confirming step of a decision that has no fields. */
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
      actions={
        shell.pending ? null : (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )
      }
    >
      {/* It takes the focus, so that it is read before it is confirmed. */}
      <div className={styles.summary} tabIndex={-1} data-read-first>
        {children}
      </div>
    </Form>
  )
}
