import { base64 } from '@scure/base'
import { useMemo } from 'react'
import type { OperatorPayout } from '../../../contract/console/payouts.ts'
import { Button } from '../../../design/Button.tsx'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { saveFile } from '../../lib/saveFile.ts'
import { PsbtQr } from './PsbtQr.tsx'

interface ToSignProps {
  payout: Pick<OperatorPayout, '_id' | 'chain' | 'versions'>
  /** A PSBT in base64, or an EIP-1559 payload in hexadecimal. */
  unsigned: string
}

/** The transaction to sign: as a file, as text and, on Bitcoin, as QR codes. */
export function ToSign({ payout: { _id, chain, versions }, unsigned }: ToSignProps) {
  const isBitcoin = chain === 'bitcoin'
  const bytes = useMemo(
    () => (isBitcoin ? Uint8Array.from(base64.decode(unsigned)) : new TextEncoder().encode(unsigned)),
    [isBitcoin, unsigned],
  )
  const name = `payout-${_id.slice(0, 8)}-${versions.length}.${isBitcoin ? 'psbt' : 'txt'}`
  return (
    <>
      <div className="row">
        <Button onClick={() => saveFile(name, new Blob([bytes]))}>
          {isBitcoin ? 'Save as a PSBT file' : 'Save as a file'}
        </Button>
        <CopyButton text={unsigned} what="transaction to sign" size="medium" />
      </div>
      {isBitcoin && <PsbtQr key={unsigned} psbt={bytes} />}
    </>
  )
}
