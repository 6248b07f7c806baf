import { formatUsd } from '../money.ts'
import { NETWORK_LABELS, type Network } from './coins.ts'

/** Says how small a request may be; with a network, why a withdrawal over it has a minimum of its own. Without a full stop. */
export function describeMinimum(
  kind: 'deposit' | 'withdrawal',
  usd: number,
  network: Network | null = null,
): string {
  return network === null
    ? `The smallest ${kind} is ${formatUsd(usd)}`
    : `The smallest ${kind} over ${NETWORK_LABELS[network]} is ${formatUsd(usd)}, so that it covers the network’s fee`
}
