import { hexToBytes } from '@noble/hashes/utils.js'
import { type BcoinEntry, type BcoinTx, loadBcoin } from './bcoin.ts'
import { createLedger } from './ledger.ts'
import { hasValidTaprootSpends } from './taproot.ts'
import { decodeTx, type Tx } from './transactions.ts'

/** A transaction that the node refuses: Bitcoin Core's RPC error code and the rule's name. */
export class Refused extends Error {
  readonly code: number

  constructor(code: number, reason: string) {
    super(reason)
    this.code = code
  }
}

/** Satoshis for each virtual byte that a replacement pays in addition to what it replaces (BIP 125, rule 4). */
const INCREMENTAL_RELAY_FEE = 1

/** A bcoin full node on regtest, in memory and without peers, with the index of an Esplora server. */
export async function openNode() {
  const { Address, FullNode, Network, Script, TX } = loadBcoin()
  // As on regtest of Bitcoin Core, segwit is active soon: bcoin waits for 432 blocks.
  Object.assign(Network.get('regtest'), { minerWindow: 6, activationThreshold: 5 })
  const node = new FullNode({ network: 'regtest', memory: true, workers: false, listen: false })
  const { chain, mempool, miner } = node
  allowTaprootSpends()

  const decoded = new WeakMap<BcoinTx, Tx>()
  const decode = (tx: BcoinTx): Tx => {
    const known = decoded.get(tx) ?? decodeTx(tx.toRaw())
    decoded.set(tx, known)
    return known
  }
  const ledger = createLedger(() => [...mempool.map.values()].map(({ tx }) => decode(tx)))
  node.on('connect', ({ height }, block) => ledger.connect(height, block.toRaw(), block.txs.map(decode)))
  node.on('disconnect', () => ledger.disconnect())

  await node.handlePreopen()
  await chain.open()
  await mempool.open()
  await miner.open()
  const genesis = await chain.getBlock(chain.tip.hash)
  ledger.connect(0, genesis.toRaw(), genesis.txs.map(decode))

  /** Parses hex to bcoin's transaction, whose hash is in the internal byte order. */
  const parse = (hex: string) => TX.fromRaw(hex, 'hex')

  /** bcoin relays no spend of outputs that it does not know. `broadcast` checks those of taproot. */
  function allowTaprootSpends(): void {
    const verify = mempool.verifyInputs.bind(mempool)
    const unknownWitness = Script.flags.VERIFY_DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM ?? 0
    mempool.verifyInputs = (tx, view, flags) => verify(tx, view, flags & ~unknownWitness)
  }

  /** Adds a transaction to the mempool as Bitcoin Core's `sendrawtransaction` does, and returns its id. */
  async function broadcast(hex: string): Promise<string> {
    const tx = parsed(hex)
    const { txid } = tx
    const known = ledger.find(txid)
    if (known?.place) throw new Refused(-27, 'Transaction outputs already in utxo set')
    if (known) return txid
    if (!hasValidTaprootSpends(tx, tx.inputs.map(ledger.spentBy)))
      throw new Refused(-26, 'mandatory-script-verify-flag-failed (Invalid Schnorr signature)')
    const replaced = replacedBy(hex)
    refuseCheapReplacement(tx, replaced)
    for (const { txid: old } of replaced) evict(old)
    try {
      await add(hex)
    } catch (error) {
      for (const old of replaced) await add(old.hex)
      throw error
    }
    return txid
  }

  function parsed(hex: string): Tx {
    try {
      return decodeTx(hexToBytes(hex))
    } catch {
      throw new Refused(-22, 'TX decode failed. Make sure the tx has at least one input.')
    }
  }

  async function add(hex: string): Promise<void> {
    const tx = parse(hex)
    const missing = await mempool.addTX(tx).catch((error: { reason?: string }) => {
      throw new Refused(-26, error.reason ?? String(error))
    })
    if (missing === null) return
    mempool.removeOrphan(tx.hash('hex'))
    throw new Refused(-25, 'bad-txns-inputs-missingorspent')
  }

  /** The mempool's transactions that spend the same outputs, and those that depend on them, parents first. */
  function replacedBy(hex: string): Tx[] {
    const replaced = new Map<string, Tx>()
    const collect = (tx: BcoinTx) => {
      replaced.set(tx.txid(), decode(tx))
      for (let index = 0; index < decode(tx).outputs.length; index++) {
        const spender = mempool.getSpent(tx.hash('hex'), index)
        if (spender) collect(spender.tx)
      }
    }
    for (const { prevout } of parse(hex).inputs) {
      const conflict = mempool.getSpent(prevout.hash, prevout.index)
      if (conflict) collect(conflict.tx)
    }
    return [...replaced.values()]
  }

  /** Rules 3 and 4 of BIP 125. Like Bitcoin Core since 28.0, it replaces transactions that do not signal it, too. */
  function refuseCheapReplacement(tx: Tx, replaced: readonly Tx[]): void {
    if (replaced.length === 0) return
    const least = replaced.reduce((sum, old) => sum + ledger.feeOf(old), 0)
    if (ledger.feeOf(tx) < least + Math.ceil(tx.weight / 4) * INCREMENTAL_RELAY_FEE)
      throw new Refused(-26, 'insufficient fee')
  }

  /** Removes a transaction and those that depend on it from the mempool. */
  function evict(txid: string): void {
    const tx = ledger.find(txid)?.tx
    const entry = tx && mempool.getEntry(parse(tx.hex).hash('hex'))
    if (entry) mempool.evictEntry(entry)
  }

  /**
   * Mines one block.
   *
   * @param script who gets the reward, an output script
   * @param parent the block below it; by default the tip
   * @param txs what it contains, parents first; by default the mempool. The fees of given ones are not collected
   */
  async function mineBlock(script: string, parent?: BcoinEntry, txs?: readonly Tx[]): Promise<BcoinEntry> {
    const address = Address.fromScript(Script.fromRaw(script, 'hex'))
    const job = await miner.cpu.createJob(parent ?? chain.tip, address)
    if (txs) {
      Object.assign(job.attempt, { items: [], fees: 0 })
      for (const { hex } of txs) job.attempt.pushTX(parse(hex))
      job.attempt.refresh()
    }
    const entry = await chain.add(await miner.cpu.mineAsync(job))
    if (entry === null) throw new Error('The node refused a block of its own.')
    return entry
  }

  return { ledger, broadcast, evict, mineBlock, blockAt: (height: number) => chain.getEntryByHeight(height) }
}

export type Node = Awaited<ReturnType<typeof openNode>>
