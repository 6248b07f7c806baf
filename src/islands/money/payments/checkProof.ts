import { decodeAddress } from '../../../chain/bitcoin/addresses.ts'
import { type BitcoinPaymentProof, checkBitcoinPayment } from '../../../chain/bitcoin/proof.ts'
import { ChainError } from '../../../chain/chainError.ts'
import { checkNativePayment, checkTokenPayment } from '../../../chain/ethereum/proof.ts'
import { TOKENS } from '../../../chain/ethereum/tokens.ts'
import { type Coin, getCoinOfNetwork } from '../../../contract/money/coins.ts'
import { CHAIN_NETWORKS, type ProvedPayment } from '../../../contract/money/payments.ts'
import { formatNumber } from '../../../contract/numbers.ts'

/** The browser's result from checking a proof: whether it shows the payment, and how, in sentences. */
export interface ProofCheck {
  readonly holds: boolean
  readonly lines: readonly string[]
}

/** Easier blocks than this are refused on the main network, whose blocks are a hundred thousand times as hard. */
const LEAST_DIFFICULTY = 1_000_000_000n
const ISSUERS: Readonly<Record<string, string>> = { usdt: 'Tether', usdc: 'Circle' }

/**
 * Checks a stored proof with the same code as the server. It does not trust other data from the server. It cannot show that the block is
 * one that the network follows: its hash can be compared with any explorer.
 */
export function checkProof(payment: ProvedPayment): ProofCheck {
  try {
    const proof: unknown = JSON.parse(payment.proof ?? 'null')
    if (CHAIN_NETWORKS[payment.network].chain === 'bitcoin')
      return checkBitcoin(payment, proof as BitcoinPaymentProof)
    return payment.network === 'eth' ? checkEther(payment, proof) : checkToken(payment, proof)
  } catch (error) {
    if (!(error instanceof ChainError)) return { holds: false, lines: ['The proof is not readable.'] }
    return { holds: false, lines: [error.message] }
  }
}

function checkBitcoin(payment: ProvedPayment, proof: BitcoinPaymentProof): ProofCheck {
  const isMain = payment.address.startsWith('bc1')
  const network = isMain ? 'mainnet' : 'regtest'
  const shown = checkBitcoinPayment(proof, {
    script: decodeAddress(payment.address, network),
    network,
    minimumDifficulty: isMain ? LEAST_DIFFICULTY : 0n,
  })
  return compareProof(payment, `${shown.txid}:${proof.output}`, shown.value, shown.blockHash, [
    `Block ${formatNumber(shown.height)} contains it: the Merkle path leads to the block’s header.`,
    `${shown.confirmations} blocks in a row have the work that they claim.`,
    ...(isMain ? [] : ['This is a test network. Its blocks take no work, and its coins have no value.']),
  ])
}

function checkEther(payment: ProvedPayment, proof: unknown): ProofCheck {
  const shown = checkNativePayment(proof, { to: payment.address })
  return compareProof(payment, shown.transactionHash.slice(2), shown.quantity, shown.blockHash, [
    `Block ${formatNumber(shown.blockNumber)} contains the transaction and its receipt. The receipt says that it succeeded.`,
  ])
}

function checkToken(payment: ProvedPayment, proof: unknown): ProofCheck {
  const contract = payment.contract ?? ''
  const shown = checkTokenPayment(proof, { contract, to: payment.address })
  const reference = `${shown.transactionHash?.slice(2)}:${shown.receiptLogIndex}`
  return compareProof(payment, reference, shown.quantity, shown.blockHash, [
    `Block ${formatNumber(shown.blockNumber)} contains the receipt, which says that the transaction succeeded.`,
    ...describeContract(contract, getCoinOfNetwork(payment.network)),
  ])
}

/** The server names the contract, so the browser says whose it is. */
function describeContract(contract: string, coin: Coin): string[] {
  const issuer = ISSUERS[coin] ?? ''
  const own = TOKENS.find(({ symbol }) => symbol.toLowerCase() === coin)?.contract ?? ''
  return contract.toLowerCase() === own.toLowerCase()
    ? [`${issuer}’s own contract on the main network wrote the transfer: ${own}.`]
    : [
        `The contract ${contract} wrote the transfer.`,
        `It is not ${issuer}’s contract on the main network. On a test network that is right, and its coins have no value.`,
      ]
}

/** The proof must show exactly what this page says: the transaction, the quantity and the block. */
function compareProof(
  payment: ProvedPayment,
  reference: string,
  value: bigint,
  blockHash: string,
  lines: readonly string[],
): ProofCheck {
  const says: readonly (readonly [string, boolean])[] = [
    ['transaction', reference === payment.reference],
    ['quantity', formatDecimal(value, CHAIN_NETWORKS[payment.network].decimals) === payment.quantity],
    ['block', blockHash.replace(/^0x/, '') === payment.block?.hash.replace(/^0x/, '')],
  ]
  const other = says.filter(([, isSame]) => !isSame).map(([what]) => what)
  return other.length === 0
    ? { holds: true, lines: ['The transaction pays this quantity to this address.', ...lines] }
    : { holds: false, lines: [`The proof shows another ${other.join(' and another ')} than this page.`] }
}

/** Smallest units as a decimal without trailing zeros. */
function formatDecimal(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}
