import { COIN_LABELS, type Coin, NETWORK_LABELS } from '../../../contract/money/coins.ts'
import type { Wallet } from '../../../contract/money/wallets.ts'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { TextField } from '../../../design/Field.tsx'
import { FileInput } from '../../../design/FileInput.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { QrCode } from '../../../design/QrCode.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import type { FileField } from '../../lib/fileField.ts'
import type { FieldAttributes } from '../../lib/form.ts'
import styles from './Deposit.module.css'
import { QuoteLine } from './QuoteLine.tsx'
import { SendNothing } from './SendNothing.tsx'
import { onlyWords } from './words.ts'

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
        <QuoteLine coin={coin} amount={amount} />
        {wallet && <PayTo wallet={wallet} />}
      </div>
      <TextField
        label="Transaction ID"
        hint="It helps us find your payment."
        optional
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...field('txid')}
      />
      <FileInput label="Receipt" hint="A picture of your payment, such as a screenshot." {...receipt.input} />
    </>
  )
}

/** The address as text and QR code, after the warnings. */
function PayTo({ wallet }: { wallet: Wallet }) {
  const { walletName, network, address, image, simulated } = wallet
  const only = onlyWords(wallet)
  return (
    <>
      {simulated ? (
        <SendNothing>This is a sample address. A real one would say: {only}</SendNothing>
      ) : (
        <Notice tone="caution">{only}</Notice>
      )}
      <QrCode
        src={image}
        alt={
          simulated
            ? 'QR code that says: Simulated. Send nothing.'
            : `QR code of the ${COIN_LABELS[walletName]} address`
        }
        size={144}
      >
        <p className="small soft">Wallet address, {NETWORK_LABELS[network]}</p>
        <p className={styles.address}>
          <code>{address}</code>
        </p>
        <CopyButton text={address} what="wallet address" />
      </QrCode>
    </>
  )
}
