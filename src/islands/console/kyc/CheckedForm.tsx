import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { approveKyc, type approveKycBody, type OperatorKyc } from '../../../contract/console/kyc.ts'
import { riskReasonField } from '../../../contract/console/risk.ts'
import { Form, type FormProps } from '../../../design/Form.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { CancelButton, createOvertakenHandler, type DecisionProps } from '../cases/ConfirmedForm.tsx'
import { RISK_REASON_REFUSED, RiskReasonField } from '../cases/RiskReasonField.tsx'
import styles from './CheckedForm.module.css'

export interface ApproveProps extends DecisionProps<OperatorKyc> {
  isDocumentOpen: boolean
}

/** The form that approves a document with the data on it. `checked` is for `CheckedForm`. */
export function useApproval<Data extends z.ZodMiniObject>(data: Data, props: ApproveProps) {
  const { row, isDocumentOpen, onDecided, onOvertaken, onCancel } = props
  const schema = z.extend(data, { riskReason: riskReasonField })
  const { shell, field, form } = useEndpointForm({
    endpoint: approveKyc,
    beside: RISK_REASON_REFUSED,
    schema,
    params: { id: row._id },
    bodyOf: (values) => ({ ...values, ...readProposal(row) }) as z.input<typeof approveKycBody>,
    failures: 'form',
    onDone: onDecided,
    onFailure: createOvertakenHandler(onOvertaken),
  })
  return {
    field,
    watch: form.watch,
    checked: {
      ...shell,
      isDocumentOpen,
      showErrors: () => {
        for (const name of Object.keys(schema.shape)) form.trigger(name as Parameters<typeof field>[0])
      },
      person: row.investor,
      risk: <RiskReasonField risk={row.risk} {...field('riskReason')} />,
      onCancel,
    },
  }
}

/** Sent with a decision against another reviewer's proposal to reject for good, which the case shows. */
export function readProposal({ finalProposal }: OperatorKyc): Readonly<Record<string, string>> {
  return finalProposal === undefined ? {} : { despiteProposalOf: finalProposal.byId }
}

interface CheckedFormProps extends Pick<FormProps, 'onSubmit' | 'pending' | 'formError' | 'submitLabel'> {
  /** Checks that a reviewer makes before approving. */
  checks: readonly string[]
  isDocumentOpen: boolean
  /** Shows what is wrong in the fields. */
  showErrors: () => void
  person: Pick<OperatorKyc['investor'], 'name' | 'email'>
  /** What the person can do after an approval: "can then withdraw". */
  leadsTo: string
  children: ReactNode
  /** The reason that a high risk takes. */
  risk: ReactNode
  onCancel: (() => void) | undefined
}

/** Approves a document after every check was ticked. The form is disabled until the document was opened. */
export function CheckedForm(props: CheckedFormProps) {
  const { checks, isDocumentOpen, showErrors, person, leadsTo, children, risk, onCancel, ...shell } = props
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [wasBlocked, setBlocked] = useState(false)
  // A ticked check may have disappeared.
  const left = checks.filter((check) => !ticked.includes(check)).length
  const blocked = !isDocumentOpen
    ? 'Open the document first.'
    : left > 0
      ? `Check the document and tick all ${checks.length} points. ${left} left.`
      : null
  return (
    <Form
      {...shell}
      onSubmit={(event) => {
        if (blocked === null) return shell.onSubmit(event)
        event.preventDefault()
        if (isDocumentOpen) showErrors()
        setBlocked(true)
      }}
      formError={wasBlocked && blocked !== null ? blocked : shell.formError}
      actions={<CancelButton hidden={shell.pending} onClick={onCancel} />}
    >
      {/* Takes the focus, so that screen readers read it before the button. */}
      <div tabIndex={-1} data-read-first>
        <p>
          <strong>
            <bdi>{person.name}</bdi>
          </strong>{' '}
          (<span translate="no">{person.email}</span>) <span>{leadsTo}</span>
        </p>
      </div>
      {children}
      <fieldset className={styles.checks}>
        <legend>{isDocumentOpen ? 'Check the document' : 'Open the document to check it'}</legend>
        {checks.map((check) => (
          <label key={check} className={styles.check}>
            <input
              type="checkbox"
              disabled={!isDocumentOpen}
              checked={ticked.includes(check)}
              onChange={({ target }) =>
                setTicked(target.checked ? [...ticked, check] : ticked.filter((name) => name !== check))
              }
            />
            {check}
          </label>
        ))}
      </fieldset>
      {risk}
    </Form>
  )
}
