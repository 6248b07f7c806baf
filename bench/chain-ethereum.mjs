// The processor time of proving Ethereum payments, of checking the proofs, and of deriving an address.
// `node bench/chain-ethereum.mjs [samples]`
import { depositAddress, parseAccountKey } from '../src/chain/ethereum/account.ts'
import { buildPayout, checkSignedPayout } from '../src/chain/ethereum/payout.ts'
import {
  checkNativePayment,
  checkTokenPayment,
  proveNative,
  proveToken,
} from '../src/chain/ethereum/proof.ts'
import { TOKENS } from '../src/chain/ethereum/tokens.ts'
import {
  headerWith,
  receiptWith,
  signPayout,
  TEST_ADDRESSES,
  testKey,
  transferLog,
} from '../test/support/ethereumChain.ts'

const SAMPLES = Number(process.argv[2] ?? 12)
/** A sample repeats its work for at least this long, because processor time has a resolution of some milliseconds. */
const SAMPLE_MS = 250
const RECEIPTS = 200
const TARGETS_MS = { proof: 20, address: 3 }

const [from, to] = TEST_ADDRESSES
const [usdt] = TOKENS
if (usdt === undefined) throw new Error('There is no token.')
const { contract } = usdt

// As many logs per receipt as block 21925176 of the main network: 202 receipts with 463 logs, 142,254 bytes. These have 460 logs, 126,010 bytes.
const LOGS = [1, 0, 1, 1, 0, 8, 1, 0, 5, 1, 6, 0, 1, 0, 10, 1, 1, 0, 8, 1]
const receipts = Array.from({ length: RECEIPTS }, (_, index) =>
  receiptWith(
    Array.from({ length: LOGS[index % LOGS.length] ?? 0 }, (_, i) =>
      transferLog({ contract, to, quantity: BigInt(1_000 * index + i + 1) }),
    ),
  ),
)
const transactionIndex = 100
const logIndex = receipts.slice(0, transactionIndex).reduce((sum, { logs }) => sum + logs.length, 0)
const transactions = receipts.map((_, index) => ({
  type: '0x2',
  chainId: '0x1',
  nonce: `0x${index.toString(16)}`,
  maxPriorityFeePerGas: '0x3b9aca00',
  maxFeePerGas: '0x6fc23ac00',
  gas: '0x30d40',
  to,
  value: '0xde0b6b3a7640000',
  input: `0x${'ab'.repeat(260)}`,
  accessList: [],
  yParity: '0x1',
  r: `0x${'5a'.repeat(32)}`,
  s: `0x${'3c'.repeat(32)}`,
}))
const header = headerWith(receipts, transactions)
const tokenProof = proveToken({ header, receipts, transactionIndex, logIndex })
const nativeProof = proveNative({ header, receipts, transactions, transactionIndex })
const account = parseAccountKey(testKey().publicExtendedKey)
const payout = buildPayout({
  chainId: 1,
  nonce: 0,
  from,
  to,
  asset: usdt,
  quantity: 1n,
  gasLimit: 80_000n,
  maxFeePerGas: 2n,
  maxPriorityFeePerGas: 1n,
})
const signed = signPayout(payout.unsigned)

/** @type {Record<string, { 'ms of processor time': number }>} */
const rows = {}
const token = measure(`prove a token payment in ${RECEIPTS} receipts`, () =>
  proveToken({ header, receipts, transactionIndex, logIndex }),
)
measure('the same with the hash of its transaction', () =>
  proveToken({ header, receipts, transactions, transactionIndex, logIndex }),
)
measure(`prove a payment in ether in ${RECEIPTS} transactions`, () =>
  proveNative({ header, receipts, transactions, transactionIndex }),
)
measure('check a token payment', () => checkTokenPayment(tokenProof, { contract, to }))
measure('check a payment in ether', () => checkNativePayment(nativeProof, { to }))
measure('read the key of an account', () => parseAccountKey(account.canonical))
let index = 0
const address = measure('derive an address', () => depositAddress(account, index++))
measure('check a signed payout', () => checkSignedPayout(signed, payout))

console.table(rows)
console.log(`A stored proof of a token payment has ${JSON.stringify(tokenProof).length} characters.`)
console.log(
  `Proving one receipt: ${verdict(token, TARGETS_MS.proof)}. Deriving an address: ${verdict(address, TARGETS_MS.address)}.`,
)

/** @param {number} ms @param {number} target */
function verdict(ms, target) {
  return `at most ${target} ms ${ms <= target ? 'met' : 'MISSED'}`
}

/** The median of all samples, in milliseconds of the thread's own processor time. @param {string} name @param {() => unknown} work */
function measure(name, work) {
  const samples = Array.from({ length: SAMPLES }, () => {
    const before = process.threadCpuUsage()
    const start = performance.now()
    let repeats = 0
    do {
      work()
      repeats++
    } while (performance.now() - start < SAMPLE_MS)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000 / repeats
  }).sort((a, b) => a - b)
  const median = samples[SAMPLES >> 1] ?? Number.NaN
  rows[name] = { 'ms of processor time': Math.round(median * 1_000) / 1_000 }
  return median
}
