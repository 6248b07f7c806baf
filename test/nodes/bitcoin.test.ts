import { createHash } from 'node:crypto'
import { p2pk, p2tr, p2wpkh, p2wsh, Transaction } from '@scure/btc-signer'
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REGTEST } from './bitcoin/transactions.ts'
import { type BitcoinNode, startBitcoin } from './bitcoin.ts'

let node: BitcoinNode
beforeAll(async () => {
  node = await startBitcoin()
})
afterAll(() => node.close())

interface Status {
  readonly confirmed: boolean
  readonly block_height?: number
  readonly block_hash?: string
  readonly block_time?: number
}

interface TxJson {
  readonly txid: string
  readonly fee: number
  readonly size: number
  readonly weight: number
  readonly status: Status
  readonly vin: readonly {
    readonly txid: string
    readonly vout: number
    readonly prevout: { readonly value: number }
    readonly sequence: number
  }[]
  readonly vout: readonly {
    readonly value: number
    readonly scriptpubkey: string
    readonly scriptpubkey_asm: string
    readonly scriptpubkey_type: string
    readonly scriptpubkey_address?: string
  }[]
}

const text = async (path: string) => (await fetch(node.url + path)).text()
const json = async <T>(path: string) => JSON.parse(await text(path)) as T
const height = async () => Number(await text('/blocks/tip/height'))
const history = (address: string) => json<TxJson[]>(`/address/${address}/txs`)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const reversed = (hex: string) => Buffer.from(hex, 'hex').reverse()
const doubleSha = (bytes: Uint8Array) =>
  Buffer.from(sha256(sha256(bytes)))
    .reverse()
    .toString('hex')

/** A new address of each kind, with the key that can spend from it. */
function addresses() {
  const key = crypto.getRandomValues(new Uint8Array(32))
  const wpkh = p2wpkh(pubECDSA(key), REGTEST)
  return {
    key,
    wpkh,
    wsh: p2wsh(p2pk(pubECDSA(key)), REGTEST),
    tr: p2tr(pubSchnorr(key), undefined, REGTEST),
  }
}
const newAddress = () => addresses().wpkh.address

test('the node starts with 110 blocks and coins to spend', async () => {
  expect(await height()).toBe(110)
  expect(await text('/blocks/tip/hash')).toBe(await text('/block-height/110'))
  const address = newAddress()
  // More than one reward.
  await node.pay(address, 12_000_000_000)
  expect(await json(`/address/${address}`)).toMatchObject({
    mempool_stats: { funded_txo_sum: 12_000_000_000 },
  })
  await node.mine(1)
})

test('blocks are linked, have proof of work, and are described as Esplora describes them', async () => {
  const tip = await height()
  const blocks = await json<Record<string, unknown>[]>('/blocks')
  expect(blocks.map((block) => block.height)).toEqual(Array.from({ length: 10 }, (_, index) => tip - index))
  expect(await json('/blocks/100')).toHaveLength(10)
  expect(await json('/blocks/3')).toHaveLength(4)
  for (const [index, block] of blocks.entries()) {
    const header = Buffer.from(await text(`/block/${block.id}/header`), 'hex')
    expect(header).toHaveLength(80)
    expect(doubleSha(header)).toBe(block.id)
    expect(header.readUInt32LE(72)).toBe(0x207fffff)
    expect(String(block.id) <= `7fffff${'0'.repeat(58)}`).toBe(true)
    if (index > 0) expect(blocks[index - 1]?.previousblockhash).toBe(block.id)
    expect(await json(`/block/${block.id}`)).toEqual(block)
    expect(block).toMatchObject({
      version: header.readInt32LE(0),
      timestamp: header.readUInt32LE(68),
      bits: 0x207fffff,
      nonce: header.readUInt32LE(76),
      merkle_root: Buffer.from(header.subarray(36, 68)).reverse().toString('hex'),
    })
    expect(Number(block.mediantime)).toBeLessThanOrEqual(Number(block.timestamp))
  }
  const status = await json(`/block/${blocks[1]?.id}/status`)
  expect(status).toEqual({ in_best_chain: true, height: tip - 1, next_best: blocks[0]?.id })
})

test('a payment is seen in the mempool, then in a block with a Merkle path to its header', async () => {
  const { wpkh, wsh, tr } = addresses()
  const payments = [wpkh, wsh, tr].map(({ address }, index) => ({ address, satoshi: 50_000 + index }))
  const txid = await node.payMany(payments)
  await node.pay(newAddress(), 1_000)
  await node.pay(newAddress(), 1_000)
  const pending = await json<TxJson>(`/tx/${txid}`)
  expect(pending.status).toEqual({ confirmed: false })
  expect(pending.vout.slice(0, 3)).toMatchObject([
    { value: 50_000, scriptpubkey_type: 'v0_p2wpkh', scriptpubkey_address: wpkh.address },
    { value: 50_001, scriptpubkey_type: 'v0_p2wsh', scriptpubkey_address: wsh.address },
    { value: 50_002, scriptpubkey_type: 'v1_p2tr', scriptpubkey_address: tr.address },
  ])
  expect(pending.vout[0]?.scriptpubkey_asm).toMatch(/^OP_0 OP_PUSHBYTES_20 [0-9a-f]{40}$/)
  expect(pending.vout[2]?.scriptpubkey_asm).toMatch(/^OP_PUSHNUM_1 OP_PUSHBYTES_32 [0-9a-f]{64}$/)
  const paid = (outputs: readonly { readonly value: number }[]) =>
    outputs.reduce((sum, { value }) => sum + value, 0)
  expect(pending.fee).toBe(paid(pending.vin.map(({ prevout }) => prevout)) - paid(pending.vout))
  expect(pending.fee / (pending.weight / 4)).toBeCloseTo(10, -1)
  expect((await fetch(`${node.url}/tx/${txid}/merkle-proof`)).status).toBe(404)

  const [hash = ''] = await node.mine(1)
  const at = await height()
  const status = await json<Status>(`/tx/${txid}/status`)
  expect(status).toMatchObject({ confirmed: true, block_height: at, block_hash: hash })
  const proof = await json<{ block_height: number; merkle: string[]; pos: number }>(
    `/tx/${txid}/merkle-proof`,
  )
  expect(proof.block_height).toBe(at)
  expect(proof.merkle).toHaveLength(2)
  let root = reversed(txid)
  for (const [level, neighbour] of proof.merkle.entries()) {
    const pair = [root, reversed(neighbour)]
    root = sha256(sha256(Buffer.concat((proof.pos >> level) & 1 ? pair.reverse() : pair)))
  }
  const header = Buffer.from(await text(`/block/${hash}/header`), 'hex')
  expect(root).toEqual(Buffer.from(header.subarray(36, 68)))
  expect(await json<string[]>(`/block/${hash}/txids`)).toHaveLength(4)
  expect((await json<string[]>(`/block/${hash}/txids`))[proof.pos]).toBe(txid)
  expect((await json<TxJson[]>(`/block/${hash}/txs`))[proof.pos]).toEqual(await json(`/tx/${txid}`))

  const hex = await text(`/tx/${txid}/hex`)
  const raw = await (await fetch(`${node.url}/tx/${txid}/raw`)).arrayBuffer()
  expect(Buffer.from(raw).toString('hex')).toBe(hex)
  expect(Transaction.fromRaw(Buffer.from(hex, 'hex')).id).toBe(txid)
})

test('an address has its balance, coins and history, and a script hash the same', async () => {
  const { wpkh } = addresses()
  const first = await node.pay(wpkh.address, 10_000)
  await node.mine(1)
  const second = await node.pay(wpkh.address, 20_000)
  expect(await json(`/address/${wpkh.address}`)).toEqual({
    address: wpkh.address,
    chain_stats: {
      tx_count: 1,
      funded_txo_count: 1,
      funded_txo_sum: 10_000,
      spent_txo_count: 0,
      spent_txo_sum: 0,
    },
    mempool_stats: {
      tx_count: 1,
      funded_txo_count: 1,
      funded_txo_sum: 20_000,
      spent_txo_count: 0,
      spent_txo_sum: 0,
    },
  })
  expect((await history(wpkh.address)).map(({ txid }) => txid)).toEqual([second, first])
  const ids = async (path: string) => (await json<TxJson[]>(path)).map(({ txid }) => txid)
  expect(await ids(`/address/${wpkh.address}/txs/chain`)).toEqual([first])
  expect(await ids(`/address/${wpkh.address}/txs/mempool`)).toEqual([second])
  expect(await ids(`/address/${wpkh.address}/utxo`)).toEqual([first, second])
  const scriptHash = Buffer.from(sha256(wpkh.script)).reverse().toString('hex')
  expect(await json(`/scripthash/${scriptHash}/txs`)).toEqual(await history(wpkh.address))
  expect(await json(`/scripthash/${scriptHash}`)).toMatchObject({
    scripthash: scriptHash,
    chain_stats: { tx_count: 1 },
  })
})

test('a long history comes in pages of 25', async () => {
  const address = newAddress()
  const paid: string[] = []
  for (let index = 0; index < 27; index++) {
    paid.unshift(await node.pay(address, 5_000 + index))
    if (index % 9 === 8) await node.mine(1)
  }
  const first = await json<TxJson[]>(`/address/${address}/txs/chain`)
  const second = await json<TxJson[]>(`/address/${address}/txs/chain/${first.at(-1)?.txid}`)
  expect([first.length, second.length]).toEqual([25, 2])
  expect([...first, ...second].map(({ txid }) => txid).toSorted()).toEqual(paid.toSorted())
  const heights = [...first, ...second].map(({ status }) => status.block_height ?? 0)
  expect(heights).toEqual(heights.toSorted((a, b) => b - a))
  expect(await json(`/address/${address}/txs/chain/${'0'.repeat(64)}`)).toEqual([])
})

test.each(['wpkh', 'wsh', 'tr'] as const)(
  'coins of a %s address can be spent by its key alone',
  async (kind) => {
    const own = addresses()
    const { address, script } = own[kind]
    const txid = await node.pay(address, 100_000)
    await node.mine(1)
    const spend = (key: Uint8Array) => {
      const tx = new Transaction()
      tx.addInput({
        txid,
        index: 0,
        witnessUtxo: { script, amount: 100_000n },
        ...(kind === 'wsh' && { witnessScript: own.wsh.witnessScript }),
        ...(kind === 'tr' && { tapInternalKey: own.tr.tapInternalKey }),
      })
      tx.addOutputAddress(newAddress(), 99_000n, REGTEST)
      tx.sign(key)
      tx.finalize()
      return tx
    }
    const good = spend(own.key)
    const [signature = new Uint8Array(), ...rest] = good.getInput(0).finalScriptWitness ?? []
    const forged = Transaction.fromRaw(good.extract())
    forged.updateInput(
      0,
      { finalScriptWitness: [signature.map((byte, index) => (index === 40 ? byte ^ 1 : byte)), ...rest] },
      true,
    )
    await expect(node.broadcast(forged.hex)).rejects.toThrow()
    expect(await node.broadcast(good.hex)).toBe(good.id)
    expect(await json(`/tx/${txid}/outspend/0`)).toEqual({
      spent: true,
      txid: good.id,
      vin: 0,
      status: { confirmed: false },
    })
    await node.mine(1)
    expect(await json(`/tx/${txid}/outspend/0`)).toMatchObject({ spent: true, status: { confirmed: true } })
    expect(await json(`/address/${address}/utxo`)).toEqual([])
  },
)

test('POST /tx answers with the id, or with the reason of the node', async () => {
  const post = async (body: string) => {
    const response = await fetch(`${node.url}/tx`, { method: 'POST', body })
    return { status: response.status, body: await response.text() }
  }
  const txid = await node.pay(newAddress(), 10_000)
  const hex = await text(`/tx/${txid}/hex`)
  expect(await post(hex)).toEqual({ status: 200, body: txid })
  expect(await post('00')).toMatchObject({
    status: 400,
    body: expect.stringMatching(/^sendrawtransaction RPC error: \{"code":-22,/),
  })
  const orphan = new Transaction({ allowUnknownOutputs: true })
  const { key, wpkh } = addresses()
  orphan.addInput({ txid: '11'.repeat(32), index: 0, witnessUtxo: { script: wpkh.script, amount: 5_000n } })
  orphan.addOutputAddress(wpkh.address, 4_000n, REGTEST)
  orphan.sign(key)
  orphan.finalize()
  expect(await post(orphan.hex)).toMatchObject({
    status: 400,
    body: expect.stringContaining('bad-txns-inputs-missingorspent'),
  })
  await node.mine(1)
  expect(await post(hex)).toMatchObject({ status: 400, body: expect.stringContaining('-27') })
})

test('a payment is replaced for a higher fee, with the payment and without it', async () => {
  const [address, elsewhere] = [newAddress(), newAddress()]
  const first = await node.pay(address, 10_000, { feeRate: 2 })
  await expect(node.replace(first, { feeRate: 2.5 })).rejects.toThrow('insufficient fee')
  const second = await node.replace(first)
  expect((await history(address)).map(({ txid }) => txid)).toEqual([second])
  expect((await fetch(`${node.url}/tx/${first}`)).status).toBe(404)
  const third = await node.replace(second, { feeRate: 50, to: elsewhere })
  expect(await history(address)).toEqual([])
  expect((await history(elsewhere)).map(({ txid }) => txid)).toEqual([third])
  await node.mine(1)
  await expect(node.replace(third)).rejects.toThrow('is confirmed already')
})

test('a payment says whether it can be replaced', async () => {
  const sequences = async (replaceable: boolean) =>
    (await json<TxJson>(`/tx/${await node.pay(newAddress(), 10_000, { replaceable })}`)).vin.map(
      ({ sequence }) => sequence,
    )
  expect(await sequences(true)).toEqual([0xfffffffd])
  expect(await sequences(false)).toEqual([0xffffffff])
})

test('a double-spent payment disappears for good', async () => {
  const address = newAddress()
  const txid = await node.pay(address, 10_000)
  const hex = await text(`/tx/${txid}/hex`)
  const other = await node.doubleSpend(txid)
  expect(await history(address)).toEqual([])
  expect(await json(`/tx/${other}/status`)).toMatchObject({ confirmed: true, block_height: await height() })
  await expect(node.broadcast(hex)).rejects.toThrow('bad-txns-inputs-missingorspent')
})

test.each([1, 2, 3, 4, 5, 6])('%i blocks are replaced by one more', async (depth) => {
  const [kept, dropped, returned] = [newAddress(), newAddress(), newAddress()]
  const keep = await node.pay(kept, 10_000)
  const drop = await node.pay(dropped, 20_000)
  const other = await node.pay(returned, 30_000)
  const before = await node.mine(depth)
  const from = await height()
  const fork = await text(`/block-height/${from - depth}`)
  const after = await node.reorganise(depth, { keep: [keep], drop: [drop] })
  expect(await height()).toBe(from + 1)
  expect(after).toHaveLength(depth + 1)
  expect(after.some((hash) => before.includes(hash))).toBe(false)
  expect(await text(`/block-height/${from - depth}`)).toBe(fork)
  expect(await json(`/block/${after[0]}`)).toMatchObject({
    previousblockhash: fork,
    height: from - depth + 1,
  })
  // The old blocks are still known, as on a real server.
  expect(await json(`/block/${before[0]}/status`)).toEqual({ in_best_chain: false })
  expect(await json(`/tx/${keep}/status`)).toMatchObject({ confirmed: true, block_hash: after[0] })
  expect(await json(`/tx/${other}/status`)).toEqual({ confirmed: false })
  expect(await history(dropped)).toEqual([])
  await node.mine(1)
  expect(await json(`/tx/${other}/status`)).toMatchObject({ confirmed: true })
  expect(await history(dropped)).toEqual([])
})

test('a payment of another key that is dropped leaves the mempool', async () => {
  const { key, wpkh } = addresses()
  const txid = await node.pay(wpkh.address, 50_000)
  await node.mine(1)
  const tx = new Transaction()
  tx.addInput({ txid, index: 0, witnessUtxo: { script: wpkh.script, amount: 50_000n } })
  tx.addOutputAddress(newAddress(), 49_000n, REGTEST)
  tx.sign(key)
  tx.finalize()
  await node.broadcast(tx.hex)
  await node.mine(1)
  await node.reorganise(1, { drop: [tx.id] })
  expect((await fetch(`${node.url}/tx/${tx.id}`)).status).toBe(404)
  expect(await json(`/address/${wpkh.address}/utxo`)).toHaveLength(1)
})

test('rewards go where they are sent, also to a taproot address', async () => {
  const { tr } = addresses()
  const [hash] = await node.mine(1, tr.address)
  expect(await history(tr.address)).toMatchObject([
    { fee: 0, status: { block_hash: hash }, vin: [{ is_coinbase: true, prevout: null }] },
  ])
})

test('what is not there is answered as Esplora does', async () => {
  const answer = async (path: string) => {
    const response = await fetch(node.url + path)
    return `${response.status} ${await response.text()}`
  }
  expect(await answer('/block-height/100000')).toBe('404 Block not found')
  expect(await answer(`/block/${'0'.repeat(64)}/header`)).toBe('404 Block not found')
  expect(await answer(`/tx/${'0'.repeat(64)}`)).toBe('404 Transaction not found')
  expect(await answer('/address/bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4/txs')).toBe(
    '400 Invalid Bitcoin address',
  )
  expect(await answer('/address/nonsense')).toBe('400 Invalid Bitcoin address')
  expect((await fetch(`${node.url}/nothing`)).status).toBe(404)
})

test('fee estimates are those that the test sets', async () => {
  expect(await json<Record<string, number>>('/fee-estimates')).toMatchObject({ 1: 1, 144: 1 })
  await node.estimateFees({ 1: 25, 6: 5 })
  expect(await json('/fee-estimates')).toEqual({ 1: 25, 6: 5 })
})
