import { requestBankWithdrawal } from '../../contract/bankWithdrawals.ts'
import type { Filed } from '../../contract/common.ts'
import type { Limits } from '../../contract/limits.ts'
import { Form } from '../../design/Form.tsx'
import { SelectField } from '../../design/SelectField.tsx'
import { TextField } from '../../design/TextField.tsx'
import type { Obstacle } from '../filing/obstacle.ts'
import { Refused } from '../filing/Refused.tsx'
import { useEndpointForm } from '../lib/endpointForm.ts'
import { AmountField } from './AmountField.tsx'
import styles from './BankForm.module.css'
import { BANK_FIELDS } from './bankFields.ts'
import { DRAFTS } from './drafts.ts'
import { maskedAccount } from './maskedAccount.ts'
import { ProofStep } from './ProofStep.tsx'
import { OUTDATED, useStepUp } from './stepUp.ts'

export interface BankFormProps {
  limits: Limits
  obstacle: Obstacle | null
  /** The server refused by what the screen does not know yet. */
  onOutdated: () => void
  onFiled: (filed: Filed) => void
}

/** Withdraws to a bank account by the online service. */
export function BankForm({ limits, obstacle, onFiled, onOutdated }: BankFormProps) {
  const stepUp = useStepUp()
  const { shell, field, form } = useEndpointForm({
    endpoint: requestBankWithdrawal,
    draft: DRAFTS.bank,
    bodyOf: (values) => ({ ...values, withdrawalMethod: 'bank' }),
    ...stepUp.options,
    onFailure: (failure) => {
      stepUp.meet(failure, form)
      if (OUTDATED.includes(failure.code)) onOutdated()
    },
    onDone: (filed) => {
      stepUp.end(form)
      form.reset()
      onFiled(filed)
    },
  })
  const typed = (name: Parameters<typeof form.watch>[0]) => String(form.watch(name) ?? '')
  return (
    <>
      <Form
        {...shell}
        formError={stepUp.asked ? null : shell.formError}
        submitLabel="Send Withdrawal Request"
      >
        <AmountField limits={limits} form={form} field={field('amount')} />
        {BANK_FIELDS.map(({ title, hint, fields }) => (
          <fieldset key={title} className={styles.group}>
            <legend>{title}</legend>
            {hint && <p className={styles.hint}>{hint}</p>}
            <div className={styles.fields}>
              {fields.map(({ name, options, ...words }) =>
                options ? (
                  <SelectField
                    key={name}
                    options={options}
                    placeholder="Choose"
                    {...words}
                    {...field(name)}
                  />
                ) : (
                  <TextField key={name} autoComplete="off" {...words} {...field(name)} />
                ),
              )}
            </div>
          </fieldset>
        ))}
        {stepUp.isIdentityMissing && <Refused obstacle={obstacle ?? 'none'} queue="withdrawals" />}
      </Form>
      <ProofStep
        asked={stepUp.asked}
        amount={typed('amount')}
        destination={`the account ${maskedAccount(typed('accountNumber'))} at ${typed('bankName')}, held by ${typed('accountHolderName')}`}
        shell={shell}
        code={field('code')}
        setPasskey={(answer) => form.setValue('passkey', answer)}
        isCodeGiven={() => stepUp.isCodeGiven(form)}
        dropCode={() => form.setValue('code', '')}
        focusCode={() => form.setFocus('code')}
        onClose={() => stepUp.end(form)}
      />
    </>
  )
}
