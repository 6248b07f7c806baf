import { normalizeTyped } from '../typedText.ts'
import { getNetworkFacts, type Network, type NetworkFamily } from './coins.ts'

/** The receiver as a payment link names it. */
interface PaymentLink {
  readonly family: NetworkFamily
  readonly address: string
  /** The chain of an Ethereum link (EIP-155); null if it names none. */
  readonly chainId: number | null
}

/**
 * Reads an address as people paste it: in groups, with invisible marks, or in a payment link of its network. The amount of a link is
 * not read. Returns the text without blanks around it if it is something else.
 */
export function readAddress(network: Network | null, typed: string): string {
  const text = normalizeTyped(typed)
  const link = parsePaymentLink(text)
  if (link !== null && network !== null && isOnNetwork(link, network)) return link.address
  return /^[0-9A-Za-z\s]+$/.test(text) ? text.replace(/\s/g, '') : text
}

/** The error for a payment link whose address cannot be taken for this network, or null. */
export function findLinkProblem(network: Network, typed: string): string | null {
  const text = normalizeTyped(typed)
  const link = parsePaymentLink(text)
  if (link !== null)
    return isOnNetwork(link, network)
      ? null
      : 'This payment link is for another network. Please choose its network, or paste another address'
  return SCHEME.test(text) ? 'We cannot read this payment link. Please paste the address alone' : null
}

const SCHEME = /^(bitcoin|ethereum):(?:\/\/)?/i

/** BIP-21 and EIP-681. Null for other text, and for a link that asks for more than a payment. */
function parsePaymentLink(text: string): PaymentLink | null {
  const scheme = SCHEME.exec(text)
  if (scheme === null) return null
  const [path = '', query = ''] = text.slice(scheme[0].length).split('?', 2)
  const params = new URLSearchParams(query)
  return scheme[1]?.toLowerCase() === 'bitcoin'
    ? parseBitcoinLink(path, params)
    : parseEthereumLink(path, params)
}

function parseBitcoinLink(address: string, params: URLSearchParams): PaymentLink | null {
  // A wallet that does not know a required parameter must not pay.
  const hasRequirement = [...params.keys()].some((key) => key.toLowerCase().startsWith('req-'))
  return address === '' || hasRequirement ? null : { family: 'bitcoin', address, chainId: null }
}

function parseEthereumLink(path: string, params: URLSearchParams): PaymentLink | null {
  const [, target, chain, call] = /^(?:pay-)?([^@/]+)(?:@(\d{1,10}))?(?:\/(\w+))?$/.exec(path) ?? []
  // The target of a transfer is the token's contract.
  const address = call === undefined ? target : call === 'transfer' ? params.get('address') : undefined
  return address ? { family: 'ethereum', address, chainId: chain === undefined ? null : Number(chain) } : null
}

const ETHEREUM = 1
const BNB_SMART_CHAIN = 56

function isOnNetwork({ family, chainId }: PaymentLink, network: Network): boolean {
  if (getNetworkFacts(network).family !== family) return false
  return chainId === null || chainId === (network === 'usdt-bsc' ? BNB_SMART_CHAIN : ETHEREUM)
}
