import { type Coin, NETWORK_LABELS } from '../../../contract/money/coins.ts'
import { QUOTE_MINUTES } from '../../../contract/money/payments.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { TextField } from '../../../design/Field.tsx'
import { FileInput } from '../../../design/FileInput.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import type { FileField } from '../../lib/fileField.ts'
import type { FieldAttributes } from '../../lib/form.ts'
import styles from './Deposit.module.css'
import { PayTo } from './PayTo.tsx'
import { QuoteLine } from './QuoteLine.tsx'
import { describeReceipt } from './words.ts'

interface HowToPayProps {
  coin: Coin
  /** USD, as typed. */
  amount: string
  /** The coin's wallets, one for each network. */
  choices: readonly Wallet[]
  /** Undefined until a network is chosen. */
  wallet: Wallet | undefined
  field: (name: 'network' | 'txid') => FieldAttributes
  receipt: FileField
}

export function HowToPay({ coin, amount, choices, wallet, field, receipt }: HowToPayProps) {
  return (
    <>
      {choices.length > 1 && (
        <RadioGroup
          label="Network"
          hint="Each network has its own address."
          options={choices.map(({ network }) => ({ value: network, label: NETWORK_LABELS[network] }))}
          {...field('network')}
        />
      )}
      <div className={styles.pay}>
        <QuoteLine coin={coin} amount={amount} isPaidLater={wallet?.own === true} />
        {wallet && <PayTo wallet={wallet} />}
      </div>
      {wallet?.own ? (
        <p className="small soft">
          Send the request first: it keeps this price for {QUOTE_MINUTES} minutes and says how much to pay.{' '}
          <span>{describeReceipt(wallet)}</span>
        </p>
      ) : (
        <>
          <TextField
            label="Transaction ID"
            hint="It helps us find your payment."
            optional
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...field('txid')}
          />
          <FileInput label="Receipt" hint={wallet && describeReceipt(wallet)} {...receipt.input} />
        </>
      )}
    </>
  )
}
