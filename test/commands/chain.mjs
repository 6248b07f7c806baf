// `npm run chain -- regtest`: starts a simulated Bitcoin chain and an Ethereum node for trying deposits and payouts by hand, beside `npm start`.
// It prints the settings for `npm start` and then takes commands: `help` lists them. Nothing is kept when it ends.
//   -- --esplora-port 3002      the port of the Esplora server
//   -- --json-rpc-port 8545     the port of the JSON-RPC server
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { isFree } from '../../scripts/ports.mjs'
import { callWhenNpmEnds } from '../../scripts/processes.mjs'
import { runCommand } from '../../scripts/toolchain.mjs'
import { decodeAddress } from '../../src/chain/bitcoin/addresses.ts'
import { serveBitcoin } from '../nodes/bitcoin.ts'
import { startEthereum } from '../nodes/ethereum.ts'
import { installTestPackages } from '../packages/packages.ts'

/**
 * @typedef {import('../simulator/chains/bitcoin.ts').BitcoinChain} BitcoinChain
 * @typedef {import('../nodes/ethereum.ts').EthereumNode} EthereumNode
 * @typedef {{ bitcoin: BitcoinChain, ethereum: EthereumNode }} Nodes
 */

const HELP = `
  pay ADDRESS AMOUNT           pays BTC or ETH, by the kind of the address
  token ADDRESS AMOUNT [usdc]  pays USDT, or USDC
  mine BLOCKS                  mines on both chains: payments wait until then
  reorg BLOCKS                 replaces the newest blocks on both chains by one more; their payments wait again
  help                         this list
  Ctrl-C                       ends both
`

/** Each returns what it prints. @type {Record<string, (nodes: Nodes, words: string[]) => Promise<string>>} */
const COMMANDS = {
  async pay({ bitcoin, ethereum }, [address = '', amount = '']) {
    const isEther = address.startsWith('0x')
    if (isEther) return ethereum.payNative(address, inUnits(amount, 18))
    return bitcoin.pay([{ script: readScript(address), value: inUnits(amount, 8) }]).txid
  },
  async token({ ethereum }, [address = '', amount = '', name = 'usdt']) {
    if (name !== 'usdt' && name !== 'usdc') throw new Error(`There is no token ${name}, only usdt and usdc.`)
    if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new Error(`This is no Ethereum address: ${address}`)
    return ethereum.payToken(ethereum.contracts[name], address, inUnits(amount, 6))
  },
  async mine({ bitcoin, ethereum }, [blocks = '1']) {
    for (let mined = 0; mined < inBlocks(blocks); mined++) bitcoin.mine({ nowMs: Date.now() })
    await ethereum.mine(inBlocks(blocks))
    return heights(bitcoin, ethereum)
  },
  async reorg({ bitcoin, ethereum }, [blocks = '1']) {
    if (inBlocks(blocks) > bitcoin.height) throw new Error(`No blocks to replace: ${blocks}`)
    bitcoin.reorganise(inBlocks(blocks), [], { nowMs: Date.now(), share: 0 })
    await ethereum.reorganise(inBlocks(blocks))
    return heights(bitcoin, ethereum)
  },
  help: async () => HELP,
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'esplora-port': { type: 'string', default: '3002' },
      'json-rpc-port': { type: 'string', default: '8545' },
    },
  })
  if (positionals.join() !== 'regtest') throw new Error('Say which network: npm run chain -- regtest')
  const [esplora, jsonRpc] = [Number(values['esplora-port']), Number(values['json-rpc-port'])]
  for (const port of [esplora, jsonRpc])
    if (!(await isFree(port)))
      throw new Error(`Port ${port} is taken. Choose others: see test/commands/chain.mjs`)
  await installTestPackages()

  /** @type {{ close(): Promise<void> }[]} */
  const started = []
  const leave = async () => {
    await Promise.all(started.map((server) => server.close()))
    process.exit(0)
  }
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.once(name, leave)
  if (process.env.npm_lifecycle_event) callWhenNpmEnds(leave)

  const bitcoin = await serveBitcoin(esplora)
  started.push(bitcoin)
  const ethereum = await startEthereum(jsonRpc)
  started.push(ethereum)
  // The platform asks two servers of each chain. These are one server with two names.
  const [bitcoinServers, ethereumServers] = [esplora, jsonRpc].map(
    (port) => `http://127.0.0.1:${port} http://localhost:${port}`,
  )
  const { usdt, usdc, fakeUsdt } = ethereum.contracts
  console.log(`
A bitcoin chain (regtest) and an Ethereum chain (31337) are ready.

  Esplora      ${bitcoin.url}
  JSON-RPC     ${ethereum.url}
  USDT         ${usdt}
  USDC         ${usdc}
  Fake USDT    ${fakeUsdt}

Start the platform with them in another terminal:

  BITCOIN_SERVERS="${bitcoinServers}" BITCOIN_NETWORK=regtest \\
  ETHEREUM_SERVERS="${ethereumServers}" ETHEREUM_CHAIN_ID=31337 \\
  ETHEREUM_TOKENS="usdt:${usdt} usdc:${usdc}" npm start

Commands:
${HELP}`)
  await takeCommands({ bitcoin: bitcoin.chain, ethereum }, leave)
}

/** Runs the lines of the standard input one after another. @param {Nodes} nodes @param {() => Promise<void>} leave */
async function takeCommands(nodes, leave) {
  const prompt = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' })
  // On a terminal this is Ctrl-C.
  prompt.once('SIGINT', leave)
  prompt.prompt()
  for await (const line of prompt) {
    const [name = '', ...words] = line.trim().split(/\s+/)
    if (name !== '') console.log(await answerTo(nodes, name, words))
    prompt.prompt()
  }
  // On a terminal this is Ctrl-D. Without one the nodes run until a signal.
  if (process.stdin.isTTY) await leave()
}

/** @param {Nodes} nodes @param {string} name @param {string[]} words */
async function answerTo(nodes, name, words) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return `There is no command ${name}.\n${HELP}`
  try {
    return await command(nodes, words)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** An amount in its smallest unit. @param {string} amount @param {number} decimals */
function inUnits(amount, decimals) {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  if (whole === undefined || fraction.length > decimals) throw new Error(`This is no amount: ${amount}`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** @param {string} words */
function inBlocks(words) {
  const blocks = Number(words)
  if (!Number.isInteger(blocks) || blocks < 1) throw new Error(`This is no number of blocks: ${words}`)
  return blocks
}

/** The output script of an address of regtest. @param {string} address */
function readScript(address) {
  try {
    return decodeAddress(address, 'regtest')
  } catch {
    throw new Error(`This is no address on regtest: ${address}`)
  }
}

/** @param {BitcoinChain} bitcoin @param {EthereumNode} ethereum */
async function heights(bitcoin, ethereum) {
  return `bitcoin ${bitcoin.height}, Ethereum ${Number(await ethereum.rpc('eth_blockNumber'))}`
}

await runCommand(main)
