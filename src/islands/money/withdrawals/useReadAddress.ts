import { useEffect, useEffectEvent } from 'react'
import type { Network } from '../../../contract/money/coins.ts'
import { readAddress } from '../../../contract/money/paymentLinks.ts'

/** Shows the address that was found in a pasted payment link, or whose groups were joined: `show` writes it into the field. */
export function useReadAddress(
  network: Network | null,
  typed: string,
  show: (address: string) => void,
): void {
  const showRead = useEffectEvent((address: string) => {
    if (address !== typed.trim()) show(address)
  })
  useEffect(() => showRead(readAddress(network, typed)), [network, typed])
}
