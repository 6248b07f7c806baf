import { p2pk, p2tr, p2wpkh, p2wsh, Transaction } from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import { expect, test } from 'vitest'
import { toHex } from '../../src/contract/bytes.ts'
import { BitcoinChain, rawBlock } from '../simulator/chains/bitcoin.ts'
import { chanceOf } from '../simulator/lane/chance.ts'
import { allowsScripts, checkBlock } from './consensus.ts'

// The simulated chain beside bcoin, a full node that we did not write.

const nowMs = Date.UTC(2026, 0, 5)
const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }
const key = new Uint8Array(32).fill(7)
const wallets = {
  wpkh: p2wpkh(pubECDSA(key), REGTEST),
  wsh: p2wsh(p2pk(pubECDSA(key)), REGTEST),
  tr: p2tr(pubSchnorr(key), undefined, REGTEST),
}

test.each(['wpkh', 'wsh', 'tr'] as const)(
  'a coin of a %s address is spent by its key alone, in blocks that bcoin takes',
  (kind) => {
    const chain = new BitcoinChain(chanceOf(kind), nowMs, allowsScripts)
    const { script } = wallets[kind]
    const { txid, outputs } = chain.pay([{ script: toHex(script), value: 100_000n }])
    chain.mine({ nowMs })
    const spend = new Transaction()
    spend.addInput({
      txid,
      index: outputs.findIndex(({ value }) => value === 100_000n),
      witnessUtxo: { script, amount: 100_000n },
      ...(kind === 'wsh' && { witnessScript: wallets.wsh.witnessScript }),
      ...(kind === 'tr' && { tapInternalKey: wallets.tr.tapInternalKey }),
    })
    spend.addOutputAddress(wallets.wpkh.address, 99_000n, REGTEST)
    spend.sign(key)
    spend.finalize()
    const [signature = new Uint8Array(), ...rest] = spend.getInput(0).finalScriptWitness ?? []
    const forged = Transaction.fromRaw(spend.extract())
    const changed = signature.map((byte, at) => (at === 40 ? byte ^ 1 : byte))
    forged.updateInput(0, { finalScriptWitness: [changed, ...rest] }, true)
    expect(chain.broadcast(forged.hex)).toBe('mandatory-script-verify-flag-failed')
    expect(chain.broadcast(spend.hex)).toBe(null)
    chain.mine({ nowMs })
    expect(chain.coins()).toContainEqual({ script: toHex(wallets.wpkh.script), value: 99_000n })
    chain.reorganise(2, [], { nowMs })
    for (const block of chain.view.main.slice(1)) {
      const { hash, txids } = checkBlock(rawBlock(block))
      expect(hash).toBe(block.hash)
      expect(txids).toEqual(block.transactions.map((transaction) => transaction.txid))
    }
  },
)

test('bcoin refuses a block whose transactions are not those of its header', () => {
  const chain = new BitcoinChain(chanceOf('false block'), nowMs)
  const [block, other] = chain.view.main.slice(-2)
  if (block === undefined || other === undefined) throw new Error('There are no blocks.')
  expect(() => checkBlock(rawBlock({ ...block, transactions: other.transactions }))).toThrow('bcoin refuses')
})
