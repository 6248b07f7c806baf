import { describe, expect, it } from 'vitest'
import {
  MAINNET_100000,
  MAINNET_100000_TXIDS,
  MAINNET_PAYMENT,
  mine,
  mineMany,
  REGTEST_GENESIS,
} from '../../../test/support/bitcoinBlocks.ts'
import { buildMerkleTree, computeMerkleRoot } from './merkle.ts'
import { type BitcoinPaymentProof, buildPaymentProof, checkBitcoinPayment } from './proof.ts'
import { parseTransaction, serializeTransaction } from './transaction.ts'

const script = '76a914948c765a6914d43f2a7ac177da2c2f6b52de3d7c88ac'
const expected = { script, network: 'mainnet' as const, minimumDifficulty: 14_000n }
const [header = '', ...following] = MAINNET_100000

const proof: BitcoinPaymentProof = buildPaymentProof({
  rawTransaction: MAINNET_PAYMENT,
  output: 1,
  merkleProof: { block_height: 100_000, merkle: buildMerkleTree(MAINNET_100000_TXIDS).pathOf(1), pos: 1 },
  header,
  following,
})

describe('the proof of a payment', () => {
  it('shows value, block and confirmations of a payment on mainnet', () => {
    expect(checkBitcoinPayment(proof, expected)).toEqual({
      txid: MAINNET_100000_TXIDS[1],
      value: 4_444_000_000n,
      blockHash: '000000000003ba27aa200b1cecaad478d2b00432346c3f1f3986da1afd33e506',
      blockTime: 1293623863,
      height: 100_000,
      confirmations: 7,
      tipHash: '0000000000009b958a82c10804bd667722799cc3b457bc061cd4b7779110cd60',
      work: 7n * 62_209_952_899_966n,
    })
  })

  it('is the same after storing it as JSON, and is small', () => {
    const text = JSON.stringify(proof)
    expect(checkBitcoinPayment(JSON.parse(text), expected)).toEqual(checkBitcoinPayment(proof, expected))
    expect(text.length).toBeLessThan(2_000)
  })

  it.each<[string, Partial<BitcoinPaymentProof>, string]>([
    ['another output of the transaction', { output: 0 }, 'wrong_script'],
    ['an output that does not exist', { output: 2 }, 'no_such_output'],
    ['an output before the first', { output: -1 }, 'no_such_output'],
    ['a changed value', { transaction: MAINNET_PAYMENT.replace('000fe20801', '000fe20901') }, 'not_in_block'],
    ['another position', { position: 0 }, 'not_in_block'],
    ['a position outside the tree', { position: 5 }, 'no_such_position'],
    ['a changed path', { path: [...proof.path].reverse() }, 'not_in_block'],
    ['no path', { path: [], position: 0 }, 'not_in_block'],
    ['another block', { header: MAINNET_100000[1] ?? '' }, 'not_in_block'],
    ['a missing header', { following: following.slice(1) }, 'not_linked'],
    ['a header twice', { following: [following[0] ?? '', following[0] ?? ''] }, 'not_linked'],
    ['a header without work', { following: [`${following[0]?.slice(0, -8)}00000000`] }, 'no_proof_of_work'],
    ['headers of regtest', { following: mineMany(header, 1) }, 'bad_target'],
    ['an impossible height', { height: -1 }, 'bad_height'],
    ['more headers than needed', { following: Array(2017).fill(following[0]) }, 'proof_too_long'],
  ])('refuses %s', (_, change, code) => {
    expect(() => checkBitcoinPayment({ ...proof, ...change }, expected)).toThrow(
      expect.objectContaining({ code }),
    )
  })

  it('refuses blocks that were too easy to find, and another address', () => {
    expect(() => checkBitcoinPayment(proof, { ...expected, minimumDifficulty: 14_485n })).toThrow(
      expect.objectContaining({ code: 'too_easy' }),
    )
    expect(() => checkBitcoinPayment(proof, { ...expected, script: `${script}00` })).toThrow(
      expect.objectContaining({ code: 'wrong_script' }),
    )
  })

  it('lets new coins count after 100 confirmations', () => {
    const coinbase = serializeTransaction({
      version: 2,
      lockTime: 0,
      inputs: [
        {
          txid: '0'.repeat(64),
          vout: 0xffffffff,
          script: '5151',
          sequence: 0xffffffff,
          witness: ['00'.repeat(32)],
        },
      ],
      outputs: [{ script, value: 5_000_000_000n }],
    })
    const { txid, stripped } = parseTransaction(coinbase)
    const block = mine(REGTEST_GENESIS, { merkleRoot: computeMerkleRoot([txid]) })
    const parts = {
      rawTransaction: coinbase,
      output: 0,
      merkleProof: { block_height: 1, merkle: [], pos: 0 },
      header: block,
    }
    const onRegtest = { script, network: 'regtest' as const, minimumDifficulty: 0n }
    const after = mineMany(block, 99)
    expect(buildPaymentProof({ ...parts, following: after }).transaction).toBe(stripped)
    expect(
      checkBitcoinPayment(buildPaymentProof({ ...parts, following: after }), onRegtest).confirmations,
    ).toBe(100)
    expect(() =>
      checkBitcoinPayment(buildPaymentProof({ ...parts, following: after.slice(1, 0) }), onRegtest),
    ).toThrow(expect.objectContaining({ code: 'not_spendable_yet' }))
  })
})
