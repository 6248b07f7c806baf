import { bankAccount, checkBankAccount } from '../../../contract/money/destinations.ts'
import { BANK_IDENTITY, requestBankWithdrawal } from '../../../contract/money/withdrawals.ts'
import { call } from '../../lib/api.ts'
import { AmountField } from './AmountField.tsx'
import { BankFields, describeAccount } from './BankFields.tsx'
import { bankWithdrawalForm, buildBankDefaults, pickBankFields } from './bankAccount.ts'
import { DRAFTS } from './methods.ts'
import { useStepUpForm } from './stepUp.ts'
import { OUTDATED, RequestForm, type WithdrawalFormProps } from './WithdrawalForms.tsx'

export function BankForm(props: WithdrawalFormProps) {
  const { limits, money, payee, obstacle, onFiled, onOutdated } = props
  const made = useStepUpForm({
    endpoint: requestBankWithdrawal,
    schema: bankWithdrawalForm,
    defaultValues: buildBankDefaults(payee),
    draft: DRAFTS.bank,
    bodyOf: (values) => ({ ...pickBankFields(values), withdrawalMethod: 'bank' }),
    onFailure: ({ code }) => OUTDATED.includes(code) && onOutdated(),
    onDone: (filed) => {
      form.reset()
      onFiled(filed)
    },
  })
  const { field, form } = made
  const getFieldText = (name: Parameters<typeof form.watch>[0]) => String(form.watch(name) ?? '')
  const typed = Object.fromEntries(BANK_IDENTITY.map((name) => [name, getFieldText(name)]))
  const account = bankAccount.safeParse(pickBankFields({ ...typed, isFull: form.watch('isFull') === true }))
  const check = account.success
    ? {
        key: JSON.stringify(account.data),
        check: () => call(checkBankAccount, { body: account.data, quiet: true }),
      }
    : null
  return (
    <RequestForm
      made={made}
      obstacle={obstacle}
      amount={getFieldText('amount')}
      destination={describeAccount(getFieldText)}
      check={check}
    >
      <AmountField limits={limits} money={money} network={null} form={form} field={field('amount')} />
      <BankFields field={field} form={form} />
    </RequestForm>
  )
}
