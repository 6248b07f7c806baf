import { useState } from 'react'
import { COIN_LABELS, NETWORK_LABELS } from '../../contract/coins.ts'
import type { Filed } from '../../contract/common.ts'
import { RECEIPT_MISSING, requestDeposit } from '../../contract/deposits.ts'
import { parseUsd } from '../../contract/money.ts'
import type { Wallet } from '../../contract/wallets.ts'
import { FileInput } from '../../design/FileInput.tsx'
import { Form } from '../../design/Form.tsx'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { MoneyField } from '../../design/MoneyField.tsx'
import { RadioGroup } from '../../design/RadioGroup.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { TextField } from '../../design/TextField.tsx'
import { IdentityNotice } from '../kyc/IdentityNotice.tsx'
import { useEndpointForm } from '../lib/endpointForm.ts'
import { useFileField } from '../lib/fileField.ts'
import { useResource } from '../lib/resource.ts'
import styles from './DepositForm.module.css'
import type { HowToPayProps } from './HowToPay.tsx'
import { chosenAlready, coinNamed, coinsOf, walletsOf } from './wallets.ts'

interface DepositFormProps {
  wallets: readonly Wallet[]
  onFiled: (filed: Filed) => void
}

/** Announces a payment. Where to pay, and the receipt, are asked for once it is known what is paid and how much. */
export function DepositForm({ wallets, onFiled }: DepositFormProps) {
  const receipt = useFileField('image', RECEIPT_MISSING)
  const [isIdentityMissing, setIdentityMissing] = useState(false)
  const { shell, field, form } = useEndpointForm({
    endpoint: requestDeposit,
    draft: 'deposit',
    // A wallet may have been retired meanwhile.
    fitDraft: (typed) =>
      wallets.some(({ address }) => address === typed.paymentTo)
        ? typed
        : { ...typed, paymentTo: chosenAlready(walletsOf(coinNamed(typed.type), wallets)) },
    // While its field is not there yet, nothing is said against it.
    file: { ...receipt, take: () => (isReady() ? receipt.take() : null) },
    onDone: (filed) => {
      form.reset()
      receipt.empty()
      setIdentityMissing(false)
      onFiled(filed)
    },
    explained: ['kyc_required'],
    onFailure: ({ code }) => setIdentityMissing(code === 'kyc_required'),
  })
  const coin = coinNamed(form.watch('type'))
  const amount = form.watch('amount')
  const paymentTo = form.watch('paymentTo')
  const choices = walletsOf(coin, wallets)
  const wallet = choices.find(({ address }) => address === paymentTo)

  function isReady(): boolean {
    return coinNamed(form.getValues('type')) !== null && parseUsd(form.getValues('amount')) !== null
  }
  const type = field('type')
  const onCoin: typeof type.onChange = (event) => {
    type.onChange(event)
    form.setValue('paymentTo', chosenAlready(walletsOf(coinNamed(form.getValues('type')), wallets)))
    form.clearErrors('paymentTo')
  }
  return (
    <Form
      {...shell}
      submitLabel="Send Deposit Request"
      actions={<p className={styles.risk}>You could lose all the money you invest.</p>}
    >
      <RadioGroup
        label="Coin"
        options={coinsOf(wallets).map((value) => ({ value, label: COIN_LABELS[value] }))}
        {...type}
        onChange={onCoin}
      />
      <MoneyField
        label="Amount in USD"
        {...field('amount')}
        // Said at once, because the rest of the form waits for an amount.
        onBlur={() => amount && form.trigger('amount')}
      />
      {coin !== null && isReady() ? (
        <>
          {choices.length > 1 && (
            <RadioGroup
              label="Network"
              hint="Choose the one that you will pay by. An address of one is no address of another."
              options={choices.map(({ address, network }) => ({
                value: address,
                label: NETWORK_LABELS[network],
              }))}
              {...field('paymentTo')}
            />
          )}
          <LaterHowToPay coin={coin} amount={String(amount)} wallet={wallet} />
          <TextField
            label="Transaction ID"
            hint="If you have it: it helps the operator to find your payment."
            optional
            autoComplete="off"
            spellCheck={false}
            {...field('txid')}
          />
          <FileInput
            label="Receipt"
            hint="One picture that shows your payment, such as a screenshot."
            {...receipt.input}
          />
        </>
      ) : (
        <p className={styles.next}>
          Once you have chosen a coin and an amount, the address to pay to appears here, with a place for the
          receipt.
        </p>
      )}
      {isIdentityMissing && <IdentityNotice standing={null} refused />}
    </Form>
  )
}

/** Fetched once there is something to pay. */
function LaterHowToPay(props: HowToPayProps) {
  const part = useResource('how to pay', () => import('./HowToPay.tsx'))
  switch (part.state) {
    case 'loading':
      return <Skeleton height="block" />
    case 'failed':
      return <LoadFailure msg={part.msg} onRetry={part.reload} />
    case 'ready':
      return <part.data.HowToPay {...props} />
  }
}
