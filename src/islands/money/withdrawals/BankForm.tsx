import { requestBankWithdrawal } from '../../../contract/money/withdrawals.ts'
import { AmountField } from './AmountField.tsx'
import { accountWords, BankFields } from './BankFields.tsx'
import { bankDefaults, bankWithdrawalForm } from './bankAccount.ts'
import { DRAFTS } from './methods.ts'
import { useStepUpForm } from './stepUp.ts'
import { OUTDATED, RequestForm, type WithdrawalFormProps } from './WithdrawalForms.tsx'

export function BankForm(props: WithdrawalFormProps) {
  const { limits, money, payee, obstacle, onFiled, onOutdated } = props
  const made = useStepUpForm({
    endpoint: requestBankWithdrawal,
    schema: bankWithdrawalForm,
    defaultValues: bankDefaults(payee),
    draft: DRAFTS.bank,
    bodyOf: (values) => ({ ...values, withdrawalMethod: 'bank' }),
    onFailure: ({ code }) => OUTDATED.includes(code) && onOutdated(),
    onDone: (filed) => {
      form.reset()
      onFiled(filed)
    },
  })
  const { field, form } = made
  const typed = (name: Parameters<typeof form.watch>[0]) => String(form.watch(name) ?? '')
  return (
    <RequestForm
      made={made}
      limits={limits}
      obstacle={obstacle}
      amount={typed('amount')}
      destination={accountWords(typed)}
    >
      <AmountField limits={limits} money={money} form={form} field={field('amount')} />
      <BankFields field={field} form={form} />
    </RequestForm>
  )
}
