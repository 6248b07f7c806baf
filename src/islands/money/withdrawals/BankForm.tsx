import type { Filed } from '../../../contract/common.ts'
import type { Limits } from '../../../contract/money/limits.ts'
import { requestBankWithdrawal } from '../../../contract/money/withdrawals.ts'
import { Form } from '../../../design/Form.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { FilingNotice } from '../requests/FilingNotice.tsx'
import type { Obstacle } from '../requests/limits.ts'
import { AmountField } from './AmountField.tsx'
import { accountWords, BankFields } from './BankFields.tsx'
import { DRAFTS } from './methods.ts'
import { ProofDialog } from './ProofDialog.tsx'
import { OUTDATED, useStepUp } from './stepUp.ts'

interface BankFormProps {
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
        <BankFields field={field} />
        {stepUp.isIdentityMissing && (
          <FilingNotice refused obstacle={obstacle ?? 'none'} queue="withdrawals" />
        )}
      </Form>
      <ProofDialog
        asked={stepUp.asked}
        amount={typed('amount')}
        destination={accountWords(typed)}
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
