import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BitcoinNode, startBitcoin } from './bitcoin.ts'
import { callNode, EPOCH_BLOCKS, type Hex } from './ethereum/control.ts'
import { type EthereumNode, startEthereum } from './ethereum.ts'
import { type Liar, startLiar } from './liar.ts'

let bitcoin: BitcoinNode
let ethereum: EthereumNode
let esplora: Liar<'bitcoin'>
let jsonRpc: Liar<'ethereum'>

beforeAll(async () => {
  ;[bitcoin, ethereum] = await Promise.all([startBitcoin(), startEthereum()])
  esplora = await startLiar('bitcoin', bitcoin.url)
  jsonRpc = await startLiar('ethereum', ethereum.url)
})
afterAll(() => Promise.all([esplora, jsonRpc, bitcoin, ethereum].map((server) => server?.close())))
afterEach(() => Promise.all([esplora.behave(), jsonRpc.behave()]))

const at = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, text: await response.text() }
}

describe('a server of either kind', () => {
  const call = (signal?: AbortSignal) => fetch(`${esplora.url}/blocks/tip/height`, { signal: signal ?? null })

  test('stalls', async () => {
    await esplora.tell({ name: 'stalled' })
    await expect(call(AbortSignal.timeout(300))).rejects.toThrow('timeout')
  })

  test('trickles', async () => {
    await esplora.tell({ name: 'trickling' })
    const response = await call(AbortSignal.timeout(300))
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('timeout')
  })

  test('fails, limits, or answers with something else', async () => {
    const answers = async (name: 'serverError' | 'tooManyRequests' | 'garbage' | 'webPage') => {
      await esplora.tell({ name })
      const response = await call()
      return [response.status, response.headers.get('Retry-After'), (await response.text()).slice(0, 9)]
    }
    expect(await answers('serverError')).toEqual([500, null, 'Internal '])
    expect(await answers('tooManyRequests')).toEqual([429, '30', 'Too Many '])
    expect(await answers('garbage')).toEqual([200, null, '{"jsonrpc'])
    expect(await answers('webPage')).toEqual([200, null, '<!doctype'])
    await esplora.tell({ name: 'garbage' })
    await expect((await call()).json()).rejects.toThrow(SyntaxError)
  })

  test('answers too much, or breaks off', async () => {
    await esplora.tell({ name: 'huge' })
    expect((await (await call()).text()).length).toBeGreaterThan(32 * 2 ** 20)
    await esplora.tell({ name: 'disconnecting' })
    await expect((await call()).text()).rejects.toThrow('terminated')
  })

  test('an unknown lie is refused', async () => {
    await expect(esplora.tell({ name: 'unheardOf' as 'huge' })).rejects.toThrow('No such lie: unheardOf')
  })

  test('remembers what was asked', async () => {
    await Promise.all([esplora.forget(), jsonRpc.forget()])
    await at(`${esplora.url}/blocks/tip/height`)
    await callNode(jsonRpc.url, 'eth_blockNumber', [])
    expect(await esplora.asked()).toEqual(['/blocks/tip/height'])
    expect(await jsonRpc.asked()).toEqual(['eth_blockNumber'])
  })
})

describe('an Esplora server', () => {
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
  let txid = ''
  beforeAll(async () => {
    txid = await bitcoin.pay(address, 70_000)
    await bitcoin.mine(6)
  })

  const told = async (path: string) => (await at(esplora.url + path)).text
  const truth = async (path: string) => (await at(bitcoin.url + path)).text
  const toldJson = async (path: string) => JSON.parse(await told(path))
  const doubleSha = (hex: string) => {
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
    return sha256(sha256(Buffer.from(hex, 'hex')))
      .reverse()
      .toString('hex')
  }

  test('tells the truth until it is told to lie, and afterwards', async () => {
    const paths = [
      '/blocks',
      `/address/${address}/txs`,
      `/tx/${txid}/merkle-proof`,
      `/tx/${txid}/hex`,
      '/block-height/100000',
    ]
    const compare = async () => {
      for (const path of paths) expect(await at(esplora.url + path)).toEqual(await at(bitcoin.url + path))
    }
    await compare()
    await esplora.tell({ name: 'hiddenTransactions', address })
    expect(await told(`/address/${address}/txs`)).not.toBe(await truth(`/address/${address}/txs`))
    await esplora.behave()
    await compare()
    const raw = async (url: string) => Buffer.from(await (await fetch(`${url}/tx/${txid}/raw`)).arrayBuffer())
    expect(await raw(esplora.url)).toEqual(await raw(bitcoin.url))
  })

  test('passes a payment on', async () => {
    const other = await bitcoin.pay(address, 1_000)
    const response = await fetch(`${esplora.url}/tx`, {
      method: 'POST',
      body: await truth(`/tx/${other}/hex`),
    })
    expect(await response.text()).toBe(other)
  })

  test('stays at an old tip', async () => {
    const tip = Number(await truth('/blocks/tip/height'))
    await esplora.tell({ name: 'staleTip' })
    const later = await bitcoin.pay(address, 2_000)
    const [hash] = await bitcoin.mine(2)
    expect(await told('/blocks/tip/height')).toBe(String(tip))
    expect(await told('/blocks/tip/hash')).toBe(await truth(`/block-height/${tip}`))
    expect((await toldJson('/blocks'))[0].height).toBe(tip)
    expect((await at(`${esplora.url}/block-height/${tip + 1}`)).status).toBe(404)
    expect((await toldJson(`/tx/${later}`)).status).toEqual({ confirmed: false })
    expect(JSON.parse(await truth(`/tx/${later}`)).status).toMatchObject({
      confirmed: true,
      block_hash: hash,
    })
  })

  test('goes back to an older tip', async () => {
    const tip = Number(await truth('/blocks/tip/height'))
    await esplora.tell({ name: 'olderTip', blocks: 3 })
    expect(await told('/blocks/tip/height')).toBe(String(tip - 3))
    expect(await told('/blocks/tip/hash')).toBe(await truth(`/block-height/${tip - 3}`))
  })

  test('names a wrong amount', async () => {
    await esplora.tell({ name: 'wrongAmount', address, satoshi: 9_900_000 })
    const valueIn = (tx: { vout: { scriptpubkey_address: string; value: number }[] }) =>
      tx.vout.filter((output) => output.scriptpubkey_address === address).map(({ value }) => value)
    expect(valueIn(await toldJson(`/tx/${txid}`))).toEqual([9_900_000])
    const history = await toldJson(`/address/${address}/txs`)
    expect(valueIn(history.find((tx: { txid: string }) => tx.txid === txid))).toEqual([9_900_000])
    const coins = await toldJson(`/address/${address}/utxo`)
    expect(new Set(coins.map(({ value }: { value: number }) => value))).toEqual(new Set([9_900_000]))
    expect(await told(`/tx/${txid}/hex`)).toBe(await truth(`/tx/${txid}/hex`))
  })

  test('sends wrong bytes of a transaction', async () => {
    await esplora.tell({ name: 'wrongTransactionBytes', address, satoshi: 9_900_000 })
    const hex = await told(`/tx/${txid}/hex`)
    expect(hex).toContain(Buffer.from(new BigUint64Array([9_900_000n]).buffer).toString('hex'))
    expect(hex).toHaveLength((await truth(`/tx/${txid}/hex`)).length)
  })

  test('invents a payment, and all that belongs to it', async () => {
    const before = JSON.parse(await truth(`/address/${address}/txs`))
    await esplora.tell({ name: 'inventedTransaction', address, satoshi: 5_000_000 })
    const [invented, ...rest] = await toldJson(`/address/${address}/txs`)
    expect(rest).toEqual(before)
    expect(invented).toMatchObject({
      vout: [{ scriptpubkey_address: address, value: 5_000_000 }],
      status: { confirmed: true, block_height: Number(await truth('/blocks/tip/height')) - 5 },
    })
    const path = `/tx/${invented.txid}`
    expect(await toldJson(path)).toEqual(invented)
    expect(await toldJson(`${path}/status`)).toEqual(invented.status)
    expect((await toldJson(`${path}/merkle-proof`)).merkle).toHaveLength(1)
    expect(await told(`${path}/hex`)).toContain(
      Buffer.from(new BigUint64Array([5_000_000n]).buffer).toString('hex'),
    )
    expect((await toldJson(`/address/${address}/utxo`))[0]).toMatchObject({
      txid: invented.txid,
      value: 5_000_000,
    })
    expect((await at(bitcoin.url + path)).status).toBe(404)
  })

  test('hides payments', async () => {
    await esplora.tell({ name: 'hiddenTransactions', address })
    expect(await told(`/address/${address}/txs`)).toBe('[]')
    expect(await told(`/address/${address}/utxo`)).toBe('[]')
  })

  test('forges a Merkle path', async () => {
    await esplora.tell({ name: 'forgedMerklePath' })
    const [forged, real] = [
      await toldJson(`/tx/${txid}/merkle-proof`),
      JSON.parse(await truth(`/tx/${txid}/merkle-proof`)),
    ]
    expect(forged).toMatchObject({ block_height: real.block_height, pos: real.pos })
    expect(forged.merkle).toHaveLength(real.merkle.length)
    expect(forged.merkle).not.toEqual(real.merkle)
  })

  test('shows a header with too little work, and agrees with itself', async () => {
    const real = await truth('/blocks/tip/hash')
    const tip = await truth('/blocks/tip/height')
    await esplora.tell({ name: 'weakHeader' })
    const weak = await told('/blocks/tip/hash')
    const header = await told(`/block/${weak}/header`)
    expect(doubleSha(header)).toBe(weak)
    // Above regtest's target.
    expect(weak > `7fffff${'0'.repeat(58)}`).toBe(true)
    expect(await told(`/block-height/${tip}`)).toBe(weak)
    expect(header.slice(0, 152)).toBe((await truth(`/block/${real}/header`)).slice(0, 152))
    expect((await toldJson('/blocks'))[0].id).toBe(weak)
  })

  test('names another block at a height', async () => {
    const height = Number(await truth('/blocks/tip/height')) - 2
    await esplora.tell({ name: 'otherBlockHash', height })
    const other = await told(`/block-height/${height}`)
    expect(other).toMatch(/^[0-9a-f]{64}$/)
    expect(other).not.toBe(await truth(`/block-height/${height}`))
    expect((await at(`${esplora.url}/block/${other}/header`)).status).toBe(404)
  })
})

describe('a JSON-RPC server', () => {
  interface Transaction {
    readonly hash: Hex
    readonly to: Hex
    readonly value: Hex
  }
  interface Block {
    readonly hash: Hex
    readonly number: Hex
    readonly transactions: readonly Transaction[]
  }
  interface Log {
    readonly transactionHash: Hex
    readonly topics: readonly Hex[]
    readonly data: Hex
  }
  interface Receipt {
    readonly transactionHash: Hex
    readonly status: Hex
    readonly logs: readonly Log[]
  }

  const to: Hex = '0x00000000000000000000000000000000000000aa'
  const amount: Hex = '0x5f5e100'
  const told = <T>(method: string, ...parameters: unknown[]) => callNode<T>(jsonRpc.url, method, parameters)
  const truth = <T>(method: string, ...parameters: unknown[]) => ethereum.rpc<T>(method, ...parameters)
  const word = (hex: Hex) => `0x${hex.slice(2).padStart(64, '0')}`
  const filter = () => ({
    fromBlock: '0x0',
    toBlock: 'latest',
    address: ethereum.contracts.usdt,
    topics: [null, null, word(to)],
  })
  let native: Hex
  let token: Hex
  let block: Block

  beforeAll(async () => {
    native = await ethereum.payNative(to, 5n)
    token = await ethereum.payToken(ethereum.contracts.usdt, to, 7n)
    await ethereum.mine(1)
    block = await truth<Block>('eth_getBlockByNumber', 'latest', true)
    await ethereum.finalise()
  })

  test('tells the truth until it is told to lie, also in a batch', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['finalized', true] },
      { jsonrpc: '2.0', id: 2, method: 'eth_getBlockReceipts', params: [block.number] },
    ]
    const ask = async (url: string) => {
      const headers = { 'Content-Type': 'application/json' }
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(batch) })).json()
    }
    expect(await ask(jsonRpc.url)).toEqual(await ask(ethereum.url))
    await jsonRpc.tell({ name: 'wrongFinalisedBlock' })
    expect(await ask(jsonRpc.url)).toMatchObject([{ id: 1 }, { id: 2 }])
    expect(await ask(jsonRpc.url)).not.toEqual(await ask(ethereum.url))
  })

  test('stays at an old tip', async () => {
    const tip = Number(await truth<Hex>('eth_blockNumber'))
    await jsonRpc.tell({ name: 'staleTip' })
    const later = await ethereum.payNative(to, 6n)
    await ethereum.mine(3)
    expect(Number(await told<Hex>('eth_blockNumber'))).toBe(tip)
    const numberOf = async (tag: string) =>
      Number((await told<Block>('eth_getBlockByNumber', tag, false)).number)
    expect(await Promise.all(['latest', 'safe', 'finalized'].map(numberOf))).toEqual([
      tip,
      tip - EPOCH_BLOCKS,
      tip - 2 * EPOCH_BLOCKS,
    ])
    expect(await told('eth_getTransactionReceipt', later)).toBeNull()
    expect(await told('eth_getBlockByNumber', `0x${(tip + 1).toString(16)}`, false)).toBeNull()
    expect(await truth('eth_getTransactionReceipt', later)).toMatchObject({ status: '0x1' })
  })

  test('goes back to an older tip', async () => {
    const tip = Number(await truth<Hex>('eth_blockNumber'))
    await jsonRpc.tell({ name: 'olderTip', blocks: 2 })
    expect(Number(await told<Hex>('eth_blockNumber'))).toBe(tip - 2)
    expect(await told('eth_getBlockByNumber', 'latest', false)).toEqual(
      await truth('eth_getBlockByNumber', `0x${(tip - 2).toString(16)}`, false),
    )
  })

  test('names another finalised block, or another one at a height', async () => {
    const real = await truth<Block>('eth_getBlockByNumber', 'finalized', false)
    await jsonRpc.tell({ name: 'wrongFinalisedBlock' })
    const wrong = await told<Block>('eth_getBlockByNumber', 'finalized', false)
    expect(wrong).toEqual({ ...real, hash: wrong.hash })
    expect(wrong.hash).not.toBe(real.hash)
    expect(await told('eth_getBlockByNumber', real.number, false)).toEqual(wrong)
    expect(await told('eth_getBlockByHash', wrong.hash, false)).toEqual(wrong)
    await jsonRpc.tell({ name: 'otherBlockHash', number: Number(block.number) })
    expect((await told<Block>('eth_getBlockByNumber', 'finalized', false)).hash).toBe(real.hash)
    expect((await told<Block>('eth_getBlockByNumber', block.number, false)).hash).not.toBe(block.hash)
  })

  test('changes a receipt', async () => {
    await jsonRpc.tell({ name: 'changedReceipt' })
    const real = await truth<Receipt>('eth_getTransactionReceipt', native)
    expect(await told('eth_getTransactionReceipt', native)).toEqual({ ...real, status: '0x0' })
    const receipts = await told<Receipt[]>('eth_getBlockReceipts', block.number)
    expect(receipts.map(({ status }) => status)).toEqual(['0x0', '0x0'])
  })

  test('changes the amount of a transfer', async () => {
    await jsonRpc.tell({ name: 'changedLogAmount', amount })
    expect((await told<Receipt>('eth_getTransactionReceipt', token)).logs).toMatchObject([
      { data: word(amount) },
    ])
    expect(await told('eth_getLogs', filter())).toMatchObject([
      { transactionHash: token, data: word(amount) },
    ])
    expect(await truth('eth_getLogs', filter())).toMatchObject([
      { transactionHash: token, data: word('0x7') },
    ])
  })

  test('invents a transfer, and its receipt', async () => {
    await jsonRpc.tell({ name: 'inventedLog', token: ethereum.contracts.usdt, to, amount })
    const [real, invented] = await told<Log[]>('eth_getLogs', filter())
    expect(real).toMatchObject({ transactionHash: token })
    expect(invented).toMatchObject({ address: ethereum.contracts.usdt, data: word(amount) })
    expect(invented?.topics[2]).toBe(word(to))
    const receipt = await told<Receipt>('eth_getTransactionReceipt', invented?.transactionHash)
    expect(receipt).toMatchObject({ status: '0x1', logs: [invented] })
    const finalised = await truth<Block>('eth_getBlockByNumber', 'finalized', false)
    expect((await told<Receipt[]>('eth_getBlockReceipts', finalised.number)).at(-1)).toEqual(receipt)
  })

  test('names a wrong amount of ether', async () => {
    await jsonRpc.tell({ name: 'wrongAmount', to, wei: amount })
    const { transactions } = await told<Block>('eth_getBlockByNumber', block.number, true)
    expect(transactions.find(({ hash }) => hash === native)?.value).toBe(amount)
    expect(await told('eth_getTransactionByHash', native)).toMatchObject({ value: amount })
    expect(await truth('eth_getTransactionByHash', native)).toMatchObject({ value: '0x5' })
  })

  test('invents a payment of ether', async () => {
    await jsonRpc.tell({ name: 'inventedTransaction', to, wei: amount })
    const real = await truth<Block>('eth_getBlockByNumber', 'finalized', true)
    const { transactions } = await told<Block>('eth_getBlockByNumber', 'finalized', true)
    const invented = transactions.at(-1)
    expect(transactions).toEqual([...real.transactions, invented])
    expect(invented).toMatchObject({ to, value: amount })
    expect(await told('eth_getTransactionByHash', invented?.hash)).toEqual(invented)
    expect(await told('eth_getTransactionReceipt', invented?.hash)).toMatchObject({ status: '0x1', logs: [] })
  })

  test('hides payments', async () => {
    await jsonRpc.tell({ name: 'hiddenTransactions', to })
    expect(await told('eth_getLogs', filter())).toEqual([])
    const { transactions } = await told<Block>('eth_getBlockByNumber', block.number, true)
    expect(transactions.map(({ hash }) => hash)).toEqual([token])
  })

  test('says that it is on another network', async () => {
    await jsonRpc.tell({ name: 'wrongChain' })
    expect(await told('eth_chainId')).toBe('0x1')
  })
})
