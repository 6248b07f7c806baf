import { useState } from 'react'
import { type OperatorPayout, releasePayout } from '../../../contract/console/payouts.ts'
import { formatUsd } from '../../../contract/money.ts'
import { TextArea } from '../../../design/Field.tsx'
import { FileInput, type FileState } from '../../../design/FileInput.tsx'
import type { FileRules } from '../../../design/takeOne.ts'
import { toLowerFirst } from '../../money/transactions/words.ts'
import { ConfirmedForm, type DecisionProps, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'
import { readSignedText } from './signedText.ts'
import { formatNetworkFee, releaseWords } from './words.ts'

/** Submits the signed transaction, as a file or as text. The server compares it with the built one and names each difference. */
export function ReleasePayout({
  row: payout,
  onDecided,
  onOvertaken,
  onCancel,
}: DecisionProps<OperatorPayout>) {
  const [file, setFile] = useState<FileState>({ state: 'empty' })
  const form = useConfirmedForm({
    endpoint: releasePayout,
    params: { id: payout._id },
    send: withFactor(releasePayout, releaseWords(payout)),
    onDone: onDecided,
    onOvertaken,
    atOnce: ['signed'],
  })
  const take = async (next: FileState) => {
    setFile(next)
    if (next.state === 'chosen') form.form.setValue('signed', await readSignedText(next.file))
    else if (next.state === 'empty') form.form.setValue('signed', '')
  }
  const isLast = payout.signatures.need - payout.signatures.have === 1
  return (
    <ConfirmedForm
      form={form}
      confirmLabel={isLast ? 'Release it' : 'Submit the signature'}
      summary={() => (
        <>
          <p>
            <strong>{releaseWords(payout)}.</strong> The network fee is{' '}
            {toLowerFirst(formatNetworkFee(payout))}.
          </p>
          <p>
            {isLast
              ? `It is sent at once and cannot be called back. ${formatUsd(payout.amount)} leave the wallet.`
              : 'We check and store the signature. Nothing is sent before all signatures are complete.'}
          </p>
        </>
      )}
      onCancel={onCancel}
    >
      <FileInput
        label="Signed file"
        name="file"
        hint="From the hardware wallet or its software."
        value={file}
        onChange={(next) => void take(next)}
        rules={RULES}
      />
      <TextArea
        label="Or its text"
        hint={
          payout.chain === 'bitcoin'
            ? 'A PSBT in base64 or hexadecimal, the raw transaction, or the text of a QR code that begins with ur:'
            : 'The raw transaction in hexadecimal'
        }
        rows={4}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('signed')}
      />
    </ConfirmedForm>
  )
}

const MOST_BYTES = 700_000

const RULES: FileRules = {
  accept: ['.psbt', '.txt', '.hex', 'application/octet-stream', 'text/plain'],
  described: 'Up to 700 KB',
  several: 'Please give one file',
  problem: ({ size }) => (size > MOST_BYTES ? 'A signed transaction is smaller than 700 KB' : null),
}
