import { type Position, redeem } from '../../../contract/investing/allocations.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { getLimits } from '../../../contract/money/limits.ts'
import { listWallets, type Wallet } from '../../../contract/money/wallets.ts'
import { formatUsd, parseUsd } from '../../../contract/money.ts'
import { CheckboxField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Money } from '../../../design/Money.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { toast } from '../../../design/toasts.ts'
import type { ApiFailure } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { FilingNotice } from '../../money/requests/FilingNotice.tsx'
import { findObstacle, limitWords } from '../../money/requests/limits.ts'
import { PendingAmount } from '../../money/requests/PendingAmount.tsx'
import { BankFields, describeAccount } from '../../money/withdrawals/BankFields.tsx'
import { buildBankDefaults, loadPayee, type Payee } from '../../money/withdrawals/bankAccount.ts'
import { METHODS } from '../../money/withdrawals/methods.ts'
import { ProofDialog } from '../../money/withdrawals/ProofDialog.tsx'
import { useStepUpForm } from '../../money/withdrawals/stepUp.ts'
import { useWalletFields, WalletWords } from '../../money/withdrawals/WalletFields.tsx'
import { buildRedemption, computeRedeemableCents, redeemForm } from './redeemForm.ts'
import { describeCosts, formatPricingTime } from './words.ts'

interface RedeemFormProps {
  position: Position
  strategy: Strategy
  onFiled: () => void
}

export function RedeemForm(props: RedeemFormProps) {
  const { position, strategy } = props
  const payee = useResource('payee', loadPayee)
  return (
    <>
      <p>
        Your units are worth <Money value={position.value} /> now. They are redeemed at the price of{' '}
        {formatPricingTime(strategy.nextValuation)}, which may be higher or lower. Until then you can cancel.
        Trading costs {describeCosts(strategy)}.
      </p>
      {computeRedeemableCents(position) > 0 ? (
        payee.state === 'ready' && <Redemption {...props} payee={payee.data} />
      ) : (
        <Notice title="You have redeemed all of it">
          To redeem another amount, cancel a pending order first.
        </Notice>
      )}
    </>
  )
}

function Redemption({ position, strategy, payee, onFiled }: RedeemFormProps & { payee: Payee }) {
  const walletList = useResource('wallets', () => call(listWallets).catch((): Wallet[] => []))
  // The form also works without the limits: the server checks them.
  const loadedLimits = useResource('limits', () => call(getLimits).catch(() => null))
  const { shell, field, form, stepUp, missing } = useStepUpForm({
    endpoint: redeem,
    params: { id: position._id },
    schema: redeemForm,
    defaultValues: { withdrawalMethod: 'crypto', ...buildBankDefaults(payee) },
    draft: `redeem ${strategy.slug}`,
    bodyOf: buildRedemption,
    // `listFieldProblems` sets these errors, because the form names the withdrawal's fields differently.
    explained: ['validation_failed'],
    failures: 'form',
    onFailure: (failure) => {
      for (const [name, message] of listFieldProblems(failure)) form.setError(name, { message })
    },
    onDone: ({ msg }) => {
      toast.success(msg)
      onFiled()
    },
  })
  const isAll = form.watch('all') === true
  const withdraws = form.watch('withdraws') === true
  const isBank = form.watch('withdrawalMethod') === 'bank'
  const limits = loadedLimits.state === 'ready' ? loadedLimits.data : null
  // A zero balance is not an obstacle: the proceeds will be available.
  const obstacle = limits && findObstacle({ ...limits, available: Number.POSITIVE_INFINITY }, 'withdrawals')
  const wallets = walletList.state === 'ready' ? walletList.data : []
  const wallet = useWalletFields({ wallets, field, form }, withdraws && !isBank)
  const getFieldText = (name: Parameters<typeof form.watch>[0]) => String(form.watch(name) ?? '')
  const most = computeRedeemableCents(position)
  const amount = field('amount')
  const isTooMuch = (parseUsd(form.watch('amount')) ?? 0) > most
  const all = field('all')
  return (
    <>
      {obstacle === 'frozen' && <FilingNotice obstacle={obstacle} queue="withdrawals" />}
      <Form {...shell} submitLabel="Redeem">
        <CheckboxField
          label="All of it"
          hint={
            isAll && withdraws
              ? `To withdraw it you confirm ${formatUsd(position.valued)}: its value at the last valuation, not at the price of now.`
              : undefined
          }
          {...all}
          onChange={(event) => {
            form.clearErrors('amount')
            all.onChange(event)
          }}
          // The amount field is hidden in this case.
          error={isAll ? amount.error : undefined}
        />
        {!isAll && (
          <MoneyField
            label="Amount in USD"
            hint={
              <span>
                At most <Money value={most / 100} />.
              </span>
            }
            {...amount}
            error={amount.error ?? (isTooMuch ? 'That is more than can be redeemed now.' : undefined)}
          />
        )}
        <CheckboxField
          label="Withdraw it as soon as it is redeemed"
          hint={
            <span>
              To your wallet or bank account. Otherwise, or if that fails, the money is available in your
              account.{' '}
              {withdraws && (
                <span>
                  <PendingAmount limits={limits} queue="withdrawals" />
                  <span>
                    {limitWords(limits, 'withdrawals', isBank ? null : wallet.typed.network).join(' ')}
                  </span>
                </span>
              )}
            </span>
          }
          {...field('withdraws')}
        />
        {withdraws && obstacle && obstacle !== 'frozen' && (
          <FilingNotice obstacle={obstacle} queue="withdrawals" />
        )}
        {withdraws && (
          <RadioGroup label="Withdrawal method" options={METHODS} {...field('withdrawalMethod')} />
        )}
        {withdraws && !isBank && wallet.fields}
        {withdraws && isBank && <BankFields field={field} form={form} />}
        {missing === 'identity' && (
          <Notice tone="caution">
            Withdrawing needs an approved identity: <a href="/dashboard/kyc">KYC</a>. Redeeming alone does
            not.
          </Notice>
        )}
      </Form>
      <ProofDialog
        stepUp={stepUp}
        subject={{
          kind: 'withdrawal',
          amount: isAll ? position.valued.toFixed(2) : getFieldText('amount'),
          destination: isBank ? describeAccount(getFieldText) : <WalletWords {...wallet.typed} />,
        }}
      />
      {wallet.dialog}
    </>
  )
}

/** Errors by the form's field names: the server nests those of the withdrawal. */
function listFieldProblems({ fields = {} }: ApiFailure): [name: string, message: string][] {
  return Object.entries(fields).map(([name, message]) => [name.replace('thenWithdraw.', ''), message])
}
