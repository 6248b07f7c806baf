import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { HDKey } from '@scure/bip32'
import { Transaction } from 'micro-eth-signer'
import { decodeHeader, type Header } from '../../src/chain/ethereum/header.ts'
import { type Hex, toHex } from '../../src/chain/ethereum/hex.ts'
import { TRANSFER } from '../../src/chain/ethereum/proof.ts'
import { encodeReceipt } from '../../src/chain/ethereum/receipt.ts'
import { encodeRlp } from '../../src/chain/ethereum/rlp.ts'
import { encodeTransaction } from '../../src/chain/ethereum/transaction.ts'
import { buildTrie } from '../../src/chain/ethereum/trie.ts'

/** The published phrase of the test chains Hardhat and Anvil. */
const TEST_PHRASE = 'test test test test test test test test test test test junk'

/** A key of the test phrase, at `m/44'/60'/0'` and the steps after it (BIP-39 for the seed). */
export function testKey(steps = ''): HDKey {
  return TEST_ACCOUNT.derive(`m${steps}`)
}

/** The public key of another account of the test phrase. */
export function testAccount(account: number): string {
  return accountKey(account).publicExtendedKey
}

function accountKey(account: number): HDKey {
  return TEST_SEED.derive(`m/44'/60'/${account}'`)
}

const TEST_SEED = HDKey.fromMasterSeed(pbkdf2(sha512, TEST_PHRASE, 'mnemonic', { c: 2048, dkLen: 64 }))
const TEST_ACCOUNT = accountKey(0)

/** The first addresses of the test phrase, as Hardhat's documentation lists them. */
export const TEST_ADDRESSES = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
] as const

/** What a wallet returns for an unsigned payout: the encoding and signature of another implementation. */
export function signPayout(
  unsigned: Hex,
  { steps = '/0/0', change = {} as Partial<PayoutFields>, account = 0 } = {},
): Hex {
  const { raw } = Transaction.fromHex(unsigned) as SignableTransaction
  const { privateKey } = accountKey(account).derive(`m${steps}`)
  if (privateKey === null) throw new Error('The test key has no private half.')
  return toHex(
    Transaction.prepare({ ...raw, ...change }, false)
      .signBy(privateKey, false)
      .toBytes(),
  )
}

type SignableTransaction = InstanceType<typeof Transaction<'eip1559'>>
export type PayoutFields = SignableTransaction['raw']

/** A header that commits to these receipts and transactions. */
export function headerWith(receipts: readonly unknown[], transactions: readonly unknown[] = []): Header {
  const hash = new Uint8Array(32)
  return decodeHeader(
    toHex(
      encodeRlp([
        hash,
        hash,
        new Uint8Array(20),
        hash,
        bytes(buildTrie(transactions.map(encodeTransaction)).root),
        bytes(buildTrie(receipts.map(encodeReceipt)).root),
        new Uint8Array(256),
        0n,
        24_000_000n,
        60_000_000n,
        30_000_000n,
        1_790_000_000n,
        new Uint8Array(0),
        hash,
        new Uint8Array(8),
        1_000_000_000n,
      ]),
    ),
  )
}

export interface LogJson {
  address: string
  topics: string[]
  data: string
}

/** The log of `Transfer(from, to, quantity)` from this contract. */
export function transferLog({
  contract,
  from = TEST_ADDRESSES[4],
  to,
  quantity,
}: {
  contract: string
  from?: string
  to: string
  quantity: bigint
}): LogJson {
  return { address: contract, topics: [TRANSFER, word(BigInt(from)), word(BigInt(to))], data: word(quantity) }
}

/** A receipt as JSON-RPC writes it. */
export function receiptWith(logs: readonly LogJson[], { status = '0x1', type = '0x2' } = {}) {
  return { type, status, cumulativeGasUsed: '0x5208', logsBloom: `0x${'00'.repeat(256)}`, logs }
}

/** A number as 32 bytes. */
export function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

function bytes(hex: Hex): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
